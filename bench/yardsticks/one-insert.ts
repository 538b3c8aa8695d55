import Fastify from 'fastify';
import pg from 'pg';
import { newReferenceAddress } from '../../src/platform/lib/base58.ts';
import { newId } from '../../src/platform/lib/ids.ts';

/** The least a durable create can do: the framework, one prepared insert, the row as the answer. */
const app = Fastify();
const { SOCKET_FOLDER, MERCHANT_ID, DESTINATION } = process.env;
const pool = new pg.Pool({ host: SOCKET_FOLDER!, user: 'florin', database: 'florin', max: 8 });

const INSERT = `
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address,
                               destination_address, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

app.post('/api/merchants/intents', async (request) => {
  const { amountCents, orderId } = request.body as { amountCents: number; orderId: string };
  const createdAt = new Date();
  const id = newId(createdAt);
  const referenceAddress = newReferenceAddress();
  const expiresAt = new Date(createdAt.getTime() + 30 * 60_000);
  const values = [MERCHANT_ID, id, orderId, amountCents, referenceAddress, DESTINATION, createdAt, expiresAt];
  await pool.query({ name: 'insert', text: INSERT, values });
  return { id, orderId, amountCents, referenceAddress, destinationAddress: DESTINATION, expiresAt };
});

process.on('SIGTERM', () => process.exit(0));
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
