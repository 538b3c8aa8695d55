import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * Takes webhooks and e-mails, and notes which events came and when. /noted tells those from the given place on, in the
 * order in which they came first, how many came again, how many e-mails came, and where to send them.
 */
const noted: [id: string, atMs: number][] = [];
const known = new Set<string>();
let again = 0;
let emails = 0;

const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => {
      emails++;
      done();
    });
  },
});
mail.on('error', () => {});
const mailListening = mail.listen(0, '127.0.0.1');
await once(mailListening, 'listening');
const { port: mailPort } = mailListening.address() as AddressInfo;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const from = Number(new URL(request.url!, 'http://localhost').searchParams.get('from'));
    response.end(JSON.stringify({ noted: noted.slice(from), again, emails, mailPort }));
    return;
  }
  const id = String(request.headers['webhook-id']);
  if (known.has(id)) again++;
  else noted.push([id, Date.now()]);
  known.add(id);
  request.resume();
  request.on('end', () => response.end('ok'));
});
server.keepAliveTimeout = 60_000;

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
