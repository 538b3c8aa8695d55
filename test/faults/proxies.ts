import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp } from '../support/clean-up.ts';

/** `answers lost`: what clients send arrives, and nothing comes back. `lossy`: every third packet is lost, and sent again by TCP. */
export type Line = 'open' | 'answers lost' | 'requests lost' | 'lossy' | 'cut';

/** TCP waits that long, as Linux does, before it sends again what was not confirmed. */
const RETRANSMISSION_MS = 200;

export interface LineProxy {
  port: number;
  /** Also for connections that are open. */
  set(line: Line): void;
  /** Goes to another port of this machine from now on; undefined: to where it went first. */
  lead(port: number | undefined): void;
}

/** The line between processes and PostgreSQL. */
export async function startLineProxy(target: NetConnectOpts): Promise<LineProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let line: Line = 'open';
  let port: number | undefined;
  const server = createServer((client) => {
    if (line === 'cut') return void client.destroy();
    const upstream = connect(port === undefined ? target : { host: '127.0.0.1', port });
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    carry(client, upstream, 'requests lost');
    carry(upstream, client, 'answers lost');
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        for (const either of pair) either.destroy();
        pairs.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  function carry(from: Socket, to: Socket, lost: Line) {
    let turn = Promise.resolve();
    let packets = 0;
    from.on('data', (bytes) => {
      if (line === lost) return;
      packets++;
      const isLate = line === 'lossy' && packets % 3 === 0;
      // Whatever comes after a lost packet waits for it.
      turn = turn.then(async () => {
        if (isLate) await sleep(RETRANSMISSION_MS);
        if (!to.destroyed) to.write(bytes);
      });
    });
  }
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
    lead(next) {
      port = next;
      closeAll();
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
