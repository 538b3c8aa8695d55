import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { cleanUp } from './clean-up.ts';

/** Between a server and its clients, like a proxy or a firewall: on a port, and with a switch. */
export interface SwallowingProxy {
  port: number;
  /** Connections stay open, and no byte gets through any more. Later ones are not affected. */
  swallow(): void;
  /** Later ones are, too: they are let in, and nobody answers. */
  swallowNew(): void;
  /** Connections are closed. */
  cut(): void;
}

export async function startSwallowingProxy(target: NetConnectOpts): Promise<SwallowingProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(target);
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
  return {
    port: (server.address() as AddressInfo).port,
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
    cut() {
      for (const [client] of pairs) client.destroy();
    },
  };
}
