import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { BenchResult, BenchRun } from './bench.ts';
import { fillSubscriptions, MAKE_PLANS } from './fill-subscriptions.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runPgbench } from './tools.ts';
import { socketFolder, withWorkshop } from './workshop.ts';

const PROJECTS = 50;
/** Number of renewals that become due at the same time. */
const DUE = 10_000;
const PGBENCH_CONNECTIONS = 16;
const SECONDS_EACH = 8;
/** More than pgbench gets through in all rounds. */
const FOR_PGBENCH = 200_000;
const MANY = 1_000_000;
const LOOK_MS = 20;

/**
 * Renewals asked for per second: so many subscriptions become due at once, and the time counts until the service has
 * opened an invoice, a session and an intent for the last of them and written their events. Against pgbench writing the same
 * rows, one transaction each. Then the same with a million subscriptions of which one in a hundred is due.
 */
export function renewals({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const db = await shop.connect(data);
    const few = DUE * (2 * rounds + 6);
    say(`filling ${(few + FOR_PGBENCH).toLocaleString('en')} subscriptions`);
    const { rows: places } = await db.query(MAKE_PLANS, [PROJECTS]);
    await fillSubscriptions(db, 1, few + FOR_PGBENCH);
    await db.query(`create sequence bench_turn start ${few + 1}`);
    let next = 2;
    const ours = async () => {
      next += DUE;
      return openRenewals(db, next - DUE, DUE);
    };
    await openRenewals(db, 1, 1);
    const { rows: told } = await db.query(EXAMPLES);

    const measured = await alternate(
      {
        ours,
        yardstick: (seconds) =>
          runPgbench({
            socketFolder: socketFolder(data),
            database: 'florin',
            script: 'renewals.sql',
            variables: { merchant: places[0].merchant, ...told[0] },
            connections: PGBENCH_CONNECTIONS,
            seconds,
          }),
      },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );
    await checkRows(db);
    say(`filling ${MANY.toLocaleString('en')} subscriptions`);
    await fillSubscriptions(db, few + FOR_PGBENCH + 1, few + FOR_PGBENCH + MANY);
    const withMany = [await ours(), await ours(), await ours()].sort((a, b) => a - b)[1]!;
    const usual = measured.map((round) => round.ours).sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'renewals/s',
      rounds: measured,
      extra: {
        oneInAHundred: { subscriptions: MANY, due: DUE, perSecond: withMany, ofUsual: withMany / usual },
      },
    };
  });
}

/** Makes these subscriptions due and answers how many a second are created, the scheduler's pause included. */
async function openRenewals(db: pg.Client, from: number, count: number): Promise<number> {
  await db.query('checkpoint');
  const range = [from, from + count - 1];
  const startedMs = performance.now();
  await db.query(
    `update subscriptions b set next_step_at = now() from bench_subscriptions t
      where t.n between $1 and $2 and b.merchant_id = t.merchant_id and b.id = t.id`,
    range,
  );
  const isDue = async () =>
    (await db.query('select from subscriptions where next_step_at <= now() limit 1')).rowCount;
  while (await isDue()) await sleep(LOOK_MS);
  const seconds = (performance.now() - startedMs) / 1000;
  const { rows } = await db.query(
    `select count(*)::int as opened from bench_subscriptions t
       join subscriptions b on b.merchant_id = t.merchant_id and b.id = t.id
      where t.n between $1 and $2 and b.renewal_invoice_id is not null`,
    range,
  );
  if (rows[0].opened !== count) throw new Error(`${rows[0].opened} of ${count} renewals were opened`);
  return count / seconds;
}

/** Texts that the service has written, for pgbench to write the same. */
const EXAMPLES = `
  select max(body) filter (where event = 'invoice.created') as invoicebody,
         max(body) filter (where event = 'checkout.session.created') as sessionbody,
         max(body) filter (where event = 'subscription.renewal_due') as subscriptionbody,
         (select lines::text from invoices) as lines
    from events`;

/** The race is only fair when both wrote everything, and no number was left out. */
async function checkRows(db: pg.Client): Promise<void> {
  const { rows } = await db.query(
    `select (select count(*)::int from subscriptions where renewal_invoice_id is not null) as asked,
            (select count(*)::int from checkout_sessions where subscription_id is not null) as sessions,
            (select count(*)::int from payment_intents where session_ordering_key is not null) as intents,
            (select count(*)::int / 3 from events) as events,
            (select sum(last_invoice_number)::int from projects) as numbers,
            (select count(*)::int from invoices where subscription_id is not null) as invoices`,
  );
  const counts = new Set(Object.values(rows[0]));
  if (counts.size !== 1) throw new Error(`not the same number of everything: ${JSON.stringify(rows[0])}`);
}
