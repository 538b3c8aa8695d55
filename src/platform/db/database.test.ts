import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { openDatabase } from './database.ts';
import { isUnavailable } from './database-errors.ts';

/** One message of PostgreSQL's protocol. */
function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const SHUTTING_DOWN = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

test('a server that dies in the breath in which it says it is ready fails the call, not the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUTTING_DOWN])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = { host: '127.0.0.1', port, user: 'florin', database: 'florin', ssl: false };
  const db = openDatabase({ connection, poolSize: 1 });
  cleanUp(async () => {
    await db.close();
    server.close();
  });
  for (let i = 0; i < 3; i++) {
    const error = await db.query('select').catch((caught: unknown) => caught);
    expect(isUnavailable(error)).toBe(true);
  }
});
