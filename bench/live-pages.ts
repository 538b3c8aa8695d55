import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult, BenchRun } from './bench.ts';
import { cpuMeter } from './cpu-time.ts';
import { residentMb } from './memory.ts';
import type { Running } from './processes.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { demoKey, withWorkshop } from './workshop.ts';

const PAGES = 1_000;
const CHANGES = 50;
const QUIET_MS = 15_000;
const ALLOWED_MS = 2_000;

/**
 * A thousand checkout pages that wait for their payment, on one process. Sessions are canceled one after the other
 * while all pages stay open; the slowest five of a hundred pages must still be told within two seconds.
 */
export function livePages({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const db = await shop.connect(data);
    const ask = caller(service);
    const project = await ask('/api/v2/projects', { name: 'Shop' });
    say(`${PAGES} checkouts`);
    const sessions = await makeSessions(ask, project.id, PAGES);
    const closed = await quiet(service, db);
    say(`no page open: ${describe(closed)}`);
    const pages = sessions.slice(0, PAGES).map((session) => openPage(service, session.checkoutUrl));
    shop.onClose(async () => {
      for (const page of pages) page.close();
    });
    await Promise.all(pages.map(({ first }) => first));
    const open = await quiet(service, db);
    say(`${PAGES} pages open: ${describe(open)}`);

    const measured: Round[] = [];
    for (let i = 0; i < rounds; i++) {
      const delays: number[] = [];
      for (let change = i * CHANGES; change < (i + 1) * CHANGES; change++) {
        const startedMs = performance.now();
        const told = pages[change]!.next();
        await ask(`/api/v2/checkout-sessions/${sessions[change]!.id}/cancel`, {});
        await told;
        delays.push(performance.now() - startedMs);
      }
      const ours = percentile(delays, 95);
      // Sooner is better, and a ratio says better by being higher.
      measured.push({ ours, yardstick: ALLOWED_MS, ratio: ALLOWED_MS / ours });
      say(
        `round ${i + 1} of ${rounds}: told after ${percentile(delays, 50).toFixed(0)} ms, p95 ${ours.toFixed(0)} ms`,
      );
    }
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'ms',
      rounds: measured,
      extra: { pages: PAGES, closed, open },
    };
  });
}

interface Load {
  cpuPercent: number;
  memoryMb: number;
  /** Transactions of everybody in the database: the watcher and the jobs ask too. */
  queriesPerSecond: number;
}

/** Measures the load of the service and its database while nothing happens. */
async function quiet(service: Running, db: Db): Promise<Load> {
  const { rows } = await db.query('select pg_backend_pid() as pid');
  const used = cpuMeter(service.pid, 'florin', [rows[0].pid as number]);
  await used();
  const before = await transactions(db);
  await sleep(QUIET_MS);
  return {
    cpuPercent: ((await used()) / (QUIET_MS / 1_000)) * 100,
    memoryMb: await residentMb(service.pid),
    queriesPerSecond: ((await transactions(db)) - before) / (QUIET_MS / 1_000),
  };
}

interface Db {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any shape.
  query(text: string): Promise<{ rows: any[] }>;
}

async function transactions(db: Db): Promise<number> {
  const { rows } = await db.query(
    `select xact_commit::int as count from pg_stat_database where datname = 'florin'`,
  );
  return rows[0].count as number;
}

function describe({ cpuPercent, memoryMb, queriesPerSecond }: Load): string {
  return `${cpuPercent.toFixed(1)} % of a processor, ${memoryMb.toFixed(0)} MB, ${queriesPerSecond.toFixed(0)} transactions/s`;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Ask = (path: string, body: object) => Promise<any>;

function caller(service: Running): Ask {
  const headers = { authorization: `Bearer ${demoKey(service)}`, 'content-type': 'application/json' };
  return async (path, body) => {
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

async function makeSessions(ask: Ask, projectId: string, count: number) {
  const sessions: { id: string; checkoutUrl: string }[] = [];
  const body = { projectId, mode: 'one_time', amountCents: 500 };
  while (sessions.length < count) {
    const batch = Array.from({ length: 50 }, () => ask('/api/v2/checkout-sessions', body));
    sessions.push(...(await Promise.all(batch)));
  }
  return sessions;
}

/** Opens a page as a browser does: one long-lived response. */
function openPage(service: Running, checkoutUrl: string) {
  const url = new URL(`${new URL(checkoutUrl).pathname}/live`, service.url);
  let waiting = Promise.withResolvers<void>();
  const first = waiting.promise;
  const going = request(url, { agent: false, headers: { accept: 'text/event-stream' } }, (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      if (!text.includes('event: version')) return;
      const told = waiting;
      waiting = Promise.withResolvers<void>();
      told.resolve();
    });
  });
  going.on('error', () => {});
  going.end();
  return { first, next: () => waiting.promise, close: () => going.destroy() };
}
