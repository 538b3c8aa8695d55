import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingNode {
  url: string;
  /** Calls so far, by method. */
  counts(): Calls;
  close(): Promise<void>;
}

export type Calls = Record<string, number>;

/** The sandbox's own methods, and what is asked once at the start. */
const NOT_OF_A_SHOP = /^(sandbox_|requestAirdrop$|getGenesisHash$)/;

/** A node in front of a chain that counts what it is asked. */
export async function startCountingNode(chainUrl: string): Promise<CountingNode> {
  const counts: Calls = {};
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const name = nameOf(JSON.parse(body.toString()));
    if (!NOT_OF_A_SHOP.test(name)) counts[name] = (counts[name] ?? 0) + 1;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chainUrl, { method: 'POST', headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ ...counts }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Statuses cost some providers' customers more if the node has to search its history for them. */
function nameOf({ method, params }: { method: string; params?: unknown[] }): string {
  const options = params?.[1] as { searchTransactionHistory?: boolean } | undefined;
  return method === 'getSignatureStatuses' && options?.searchTransactionHistory
    ? `${method} (history)`
    : method;
}

/** Methods for which some providers count ten calls. */
const OF_HISTORY = new Set([
  'getSignaturesForAddress',
  'getTransaction',
  'getBlockTime',
  'getFirstAvailableBlock',
  'getSignatureStatuses (history)',
]);

export const isOfHistory = (method: string) => OF_HISTORY.has(method);

export function sumOf(calls: Calls): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

/** Adds `calls` so many times. */
export function add(sum: Calls, calls: Calls, times: number): Calls {
  const all = { ...sum };
  for (const [method, count] of Object.entries(calls)) all[method] = (all[method] ?? 0) + times * count;
  return all;
}
