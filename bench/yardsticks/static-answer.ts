import Fastify from 'fastify';

/** The framework alone: every request gets the same text, without a database. */
const app = Fastify();
const answer = process.env.ANSWER!;

app.get(process.env.ROUTE!, (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(answer);
});

process.on('SIGTERM', () => process.exit(0));
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
