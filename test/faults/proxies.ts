import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { cleanUp } from '../support/clean-up.ts';

/** `answers lost`: what clients send arrives, and nothing comes back. */
export type Line = 'open' | 'answers lost' | 'requests lost' | 'cut';

export interface LineProxy {
  port: number;
  /** Also for connections that are open. */
  set(line: Line): void;
}

/** The line between processes and PostgreSQL. */
export async function startLineProxy(target: NetConnectOpts): Promise<LineProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let line: Line = 'open';
  const server = createServer((client) => {
    if (line === 'cut') return void client.destroy();
    const upstream = connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    client.on('data', (bytes) => void (line === 'requests lost' || upstream.write(bytes)));
    upstream.on('data', (bytes) => void (line === 'answers lost' || client.write(bytes)));
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        for (const either of pair) either.destroy();
        pairs.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  cleanUp(async () => {
    closeAll();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      line = next;
      if (next === 'cut') closeAll();
    },
  };
}

/** Answer of a node in the place of its own: HTTP as it is, or undefined for what it says itself. */
export type Misanswer = (method: string, own: string, response: ServerResponse) => string | undefined;

export interface NodeProxy {
  url: string;
  /** Undefined: it answers as it is. */
  set(misanswer: Misanswer | undefined): void;
}

/** A Solana node between the service and the chain. */
export async function startNodeProxy(rpcUrl: string): Promise<NodeProxy> {
  let misanswer: Misanswer | undefined;
  const server = createHttpServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const upstream = await fetch(rpcUrl, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    });
    const own = await upstream.text();
    const text = misanswer ? misanswer(JSON.parse(body.toString()).method, own, response) : own;
    if (text === undefined || response.destroyed || response.writableEnded) return;
    response.setHeader('content-type', 'application/json');
    response.end(text);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      misanswer = next;
    },
  };
}
