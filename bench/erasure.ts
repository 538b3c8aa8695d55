import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { BenchResult, BenchRun } from './bench.ts';
import { alternate, spreadOf } from './rounds.ts';
import { demoKey, withWorkshop } from './workshop.ts';

const EVENTS = 100_000;
/** Number of updates that the yardstick runs; its rate does not depend on it. */
const FEW = 20_000;
const AT_ONCE = 500;
const LOOK_MS = 250;

type Api = (method: string, path: string, body?: object) => Promise<Record<string, string>>;

/**
 * Events overwritten per second when a customer with a hundred thousand of them is deleted, until the service says that it has
 * finished; its progress has to be seen on the way. Against plain updates of such bodies, as many in a transaction.
 */
export function erasure({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const api = callerOf(service.url, demoKey(service));
    const db = await shop.connect(data);
    const { id: projectId } = await api('POST', '/projects', { name: 'Bench' });
    const seen: number[] = [];
    const measured = await alternate(
      {
        ours: async () => {
          const customerId = await newCustomer(api, db, projectId!, EVENTS);
          const perSecond = await erase(api, customerId, seen);
          await checkErased(db, customerId);
          return perSecond;
        },
        yardstick: async () => overwrite(db, await newCustomer(api, db, projectId!, FEW)),
      },
      { rounds, secondsEach: 1 },
      say,
    );
    const spread = spreadOf(measured);
    const extra = { events: EVENTS, timesProgressWasSeen: seen };
    return { ratio: spread.median, spread, unit: 'events/s', rounds: measured, extra };
  });
}

function callerOf(url: string, key: string): Api {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<Record<string, string>>;
  };
}

/** Each event is a copy of a real one, under another number. */
async function newCustomer(api: Api, db: pg.Client, projectId: string, events: number): Promise<string> {
  const person = { projectId, email: 'somebody@example.com', name: 'Somebody', metadata: { a: 'b' } };
  const { id } = await api('POST', '/customers', person);
  await api('POST', `/customers/${id}/balance-adjustments`, {
    deltaCredits: 1,
    reason: 'somebody@example.com',
  });
  await db.query('set session_replication_role = replica');
  await db.query(
    `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, previous_status, ordering_key,
                         body, created_at)
     select merchant_id, uuidv7(), event, object_type, object_id, sequence + n, status, previous_status, ordering_key,
            body, created_at
       from events cross join generate_series(1, $2::int) as n where object_id = $1`,
    [id, events],
  );
  await db.query('update balances set sequence = sequence + $2 where customer_id = $1', [id, events]);
  await db.query('reset session_replication_role');
  await db.query('vacuum analyze events');
  await db.query('checkpoint');
  return id!;
}

async function erase(api: Api, customerId: string, seen: number[]): Promise<number> {
  const startedMs = performance.now();
  await api('DELETE', `/customers/${customerId}?discardBalance=true`);
  const counts = new Set<number>();
  for (;;) {
    const { status, done } = (await api('GET', `/customers/${customerId}/erasure`)) as Record<
      string,
      unknown
    >;
    if (status === 'erased') break;
    counts.add(Number(done));
    await sleep(LOOK_MS);
  }
  seen.push(counts.size);
  return EVENTS / ((performance.now() - startedMs) / 1_000);
}

async function checkErased(db: pg.Client, customerId: string): Promise<void> {
  const { rows } = await db.query(
    `select count(*) from events where object_id = $1 and body like '%somebody@example.com%'`,
    [customerId],
  );
  if (rows[0].count !== '0') throw new Error(`${rows[0].count} events still name the customer`);
}

/** Plain updates that never read the bodies. */
async function overwrite(db: pg.Client, customerId: string): Promise<number> {
  await db.query('set session_replication_role = replica');
  const { rows } = await db.query('select merchant_id, id from events where object_id = $1', [customerId]);
  const startedMs = performance.now();
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const page = rows.slice(at, at + AT_ONCE);
    await db.query(
      `update events e set body = replace(e.body, 'somebody@example.com', 'nobody')
        where merchant_id = $1 and id = any($2::uuid[])`,
      [page[0].merchantId, page.map(({ id }) => id)],
    );
  }
  const perSecond = rows.length / ((performance.now() - startedMs) / 1_000);
  await db.query('reset session_replication_role');
  return perSecond;
}
