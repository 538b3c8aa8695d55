import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import type { Running } from './process.ts';

/** Process ids of a supervised service by name: `api-1`, `background`. */
export function processesOf({ child }: Running): Record<string, number> {
  const found: Record<string, number> = {};
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop()!.split(' ');
      if (Number(stat[1]) !== child.pid || stat[0] === 'Z') continue;
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const at = args.findIndex((arg) => /child\.[jt]s$/.test(arg));
      if (at > 0) found[args[at + 1]!] = Number(name);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** One connection, which one process has accepted: its name, and requests that only it gets. */
export interface Line {
  process: string;
  ask(path: string, init?: Parameters<typeof fetch>[1]): ReturnType<typeof fetch>;
}

const answered = (text: string) =>
  new Map(
    [
      ...text.matchAll(
        /^florin_http_request_duration_seconds_count\{process="([\w-]+)",method="GET",route="\/health\/live",status="200"\} (\d+)/gm,
      ),
    ].map(([, process, count]) => [process!, Number(count)]),
  );

/** Opens connections until each of so many processes has accepted one. */
export async function lineToEach({ url }: Running, count: number): Promise<Line[]> {
  const lines = new Map<string, Line>();
  while (lines.size < count) {
    const dispatcher = new Agent({ connections: 1, pipelining: 1, keepAliveTimeout: 60_000 });
    const ask: Line['ask'] = (path, init) => fetch(url + path, { ...init, dispatcher });
    const metrics = async () => answered(await (await ask('/metrics')).text());
    const before = await metrics();
    await (await ask('/health/live')).text();
    const after = await metrics();
    const process = [...after].find(([name, asked]) => asked > (before.get(name) ?? 0))?.[0];
    if (process && !lines.has(process)) lines.set(process, { process, ask });
    else await dispatcher.close();
  }
  return [...lines.values()].sort((a, b) => a.process.localeCompare(b.process));
}

/** Orders placed by clients that send each again once if it fails. */
export interface Load {
  made(): number;
  retried(): number;
  /** Orders that failed twice. */
  failed: string[];
  /** Ends it, and waits until the last order is answered. */
  end(): Promise<void>;
}

export function placeOrders({ url, apiKey }: Running, key = apiKey!, clients = 8): Load {
  let [isOver, made, retried, lastId] = [false, 0, 0, 0];
  const failed: string[] = [];
  async function place(orderId: string): Promise<void> {
    const body = JSON.stringify({ amountCents: 100, orderId });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    for (let attempt = 1; ; attempt++) {
      const problem = await fetch(`${url}/api/merchants/intents`, { method: 'POST', headers, body }).then(
        async (answer) => {
          const text = await answer.text();
          return answer.ok ? undefined : `${answer.status} ${text}`;
        },
        (error: Error) => `${error.message}: ${(error.cause as Error)?.message}`,
      );
      if (!problem) return void made++;
      if (attempt === 2) return void failed.push(`${orderId}: ${problem}`);
      retried++;
      // As a client does: the request with the same key may still be under way where it was.
      await sleep(1_000);
    }
  }
  async function client(): Promise<void> {
    while (!isOver) await place(`load-${++lastId}`);
  }
  const running = Array.from({ length: clients }, client);
  return {
    made: () => made,
    retried: () => retried,
    failed,
    async end() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
