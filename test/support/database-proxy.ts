import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type pg from 'pg';
import { inject } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './clean-up.ts';

/** Between a database and its clients, like a proxy or a firewall: on a port, and with a switch. */
export interface DatabaseProxy {
  port: number;
  url(db: Database): string;
  /** Connections stay open, and no byte gets through any more. Later ones are not affected. */
  swallow(): void;
  /** Later ones are, too: they are let in, and nobody answers. */
  swallowNew(): void;
}

export async function startDatabaseProxy(
  { host, port = 5432 }: pg.PoolConfig = connectionIn(inject('dataFolder')),
): Promise<DatabaseProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(`${host}/.s.PGSQL.${port}`);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    if (isFrozen) client.resume();
    else {
      client.pipe(upstream);
      upstream.pipe(client);
    }
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        for (const either of pair) either.destroy();
        pairs.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    url: (db) => `postgres://florin@127.0.0.1:${own}/${db.pool.options.database}?sslmode=disable`,
    swallow() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        client.resume();
        upstream.resume();
      }
    },
    swallowNew() {
      isFrozen = true;
    },
  };
}
