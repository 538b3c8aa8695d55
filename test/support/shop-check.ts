import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/db/database.ts';
import { florin } from './process.ts';
import { PRICE_CENTS } from './shop-load.ts';
import type { Received } from './webhooks.ts';
import { compareNotices, compareWritten, gapsOf, type Notice, type Written } from './written.ts';

export interface ShopCheck {
  db: Database;
  acknowledged: readonly Written[];
  received: readonly Received[];
  /** Environment for `florin doctor` and `florin reconcile`. */
  env: Record<string, string>;
}

export interface Verdict {
  acknowledged: number;
  payments: number;
  events: number;
  lost: string[];
  doubled: string[];
  /** Invoice numbers that are missing or given twice. */
  numberGaps: number[];
  undelivered: string[];
  /** Webhooks that said something else than the books. */
  wrongNotices: string[];
  /** Complaints of `florin doctor` and `florin reconcile`. */
  complaints: string[];
}

/** Waits until everything under way has come to its end, and compares what was acknowledged with what is there. */
export async function checkShop({ db, acknowledged, received, env }: ShopCheck): Promise<Verdict> {
  const payments = acknowledged.filter(({ kind }) => kind === 'payment');
  await quiet(db, payments.length);
  const events = await db.query<Notice>('select id, body from events order by ordinal');
  const arrived = received.map(({ headers, body }) => ({ id: String(headers['x-service-event-id']), body }));
  const { undelivered, wrong } = compareNotices(events, arrived);
  const numbers = await db.query<{ number: bigint }>('select number from invoices where number is not null');
  return {
    acknowledged: acknowledged.length,
    payments: payments.length,
    events: events.length,
    ...compareWritten(acknowledged, await db.query<Written>(STORED, [PRICE_CENTS])),
    numberGaps: gapsOf(numbers.map(({ number }) => Number(number))),
    undelivered,
    wrongNotices: wrong,
    complaints: [...(await complaintsOf('doctor', env)), ...(await complaintsOf('reconcile', env))],
  };
}

/** Everything the load can have written, under the key it gave; a payment counts only as the money it was, and final. */
const STORED = `
  select 'intent' as kind, order_id as key, id::text as id from payment_intents
   where order_id like 'load-%' and expected_amount_cents = $1
  union all
  select 'session', merchant_reference, id::text from checkout_sessions
  union all
  select 'invoice', merchant_reference, id::text from invoices where total_cents = $1
  union all
  select 'usage', idempotency_key, id::text from usage_records where quantity = 1
  union all
  select 'payment', a.intent_id::text, a.signature
    from payment_allocations a join payment_intents i on (i.merchant_id, i.id) = (a.merchant_id, a.intent_id)
   where a.is_final and i.status = 'succeeded' and a.base_units = $1 * 10000`;

const LOOK_EVERY_MS = 500;
/** A delivery whose worker died is tried again after a minute, one that failed once more after five. */
const PATIENCE_MS = 8 * 60_000;

/**
 * Waits until every payment is credited and every event delivered; what has not happened by the end shows in the
 * comparison.
 */
async function quiet(db: Database, payments: number): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (performance.now() < deadlineMs) {
    const [row] = await db.query<{ credited: number; undelivered: number; waiting: number }>(WAITING);
    if (row!.credited >= payments && row!.undelivered === 0 && row!.waiting === 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}

const WAITING = `
  select (select count(*)::int from payment_allocations where is_final) as credited,
         (select count(*)::int from events e
           where not exists (select from webhook_deliveries d where (d.merchant_id, d.event_id) = (e.merchant_id, e.id))
         ) as undelivered,
         (select count(*)::int from webhook_deliveries where status not in ('succeeded', 'failed')) as waiting`;

/** Runs a command that tells the operator what is wrong, and returns its complaint if it fails. */
async function complaintsOf(command: 'doctor' | 'reconcile', env: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr } = await florin([command, '--json'], env);
  if (code === 0) return [];
  return [`florin ${command} ended with ${code}: ${(stderr + stdout).slice(0, 4_000)}`];
}

/** Nothing lost, nothing twice, nothing left out. */
export function isClean(verdict: Verdict): boolean {
  const { lost, doubled, numberGaps, undelivered, wrongNotices, complaints } = verdict;
  return [lost, doubled, numberGaps, undelivered, wrongNotices, complaints].every(
    (list) => list.length === 0,
  );
}
