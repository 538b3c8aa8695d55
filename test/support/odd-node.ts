import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './clean-up.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is altered has the shape its method gives it
export type Loose = any;

export interface OddNode {
  url: string;
  /** Nodes that its calls go to, each in turn. */
  backends: readonly string[];
  /** Rewrites the text of an answer before it is sent, or its HTTP status; undefined sends it as it is. */
  alter:
    | ((method: string, params: readonly Loose[], text: string) => string | Buffer | number | undefined)
    | undefined;
  /** Calls that it received, in order. */
  asked: { method: string; params: readonly Loose[] }[];
}

/** A node between the watcher and the chain that alters single answers, as real HTTP. */
export async function startOddNode(...backends: string[]): Promise<OddNode> {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { method, params = [] } = JSON.parse(body.toString());
    node.asked.push({ method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(node.backends[calls++ % node.backends.length]!, {
      method: 'POST',
      headers,
      body,
    });
    const text = await answer.text();
    const altered = node.alter?.(method, params, text) ?? text;
    const isStatus = typeof altered === 'number';
    response.writeHead(isStatus ? altered : answer.status, headers);
    response.end(isStatus ? '' : altered);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node: OddNode = { url, backends, alter: undefined, asked: [] };
  return node;
}

/** The answer with its result replaced by what `change` makes of it. */
export function withResult(text: string, change: (result: Loose) => unknown): string {
  const answer = JSON.parse(text);
  return JSON.stringify({ ...answer, result: change(answer.result) });
}
