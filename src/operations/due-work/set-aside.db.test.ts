import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { newProject, newSession } from '../../../test/support/billing.ts';
import { testChain } from '../../../test/support/chain.ts';
import { newRefund, paidIntent, readRefund } from '../../../test/support/refunds.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { expireDueRefunds } from '../../payments/refunds/end-refund.ts';
import { expireDueIntents } from '../../payments/transfers/expire-due-intents.ts';
import { expireDueSessions } from '../../payments/transfers/expire-due-sessions.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { keepStandings } from '../../reports/overview/keep-standings.ts';
import { lastDueSummary } from '../../webhooks/notifications/next-summary.ts';
import { sendDueSummaries } from '../../webhooks/send-due-summaries.ts';
import { examineDueWork } from '../doctor/examine-accounts.ts';

/** Rows that no operation of ours writes: an export of somebody else may have brought them. */

let service: TestService;
let odd: TestMerchant;
let good: TestMerchant;
let lines: string[];
const log = createLog('info', (line) => lines.push(line));

beforeEach(async () => {
  service = await testService();
  odd = await service.createMerchant('Odd');
  good = await service.createMerchant('Good');
  lines = [];
});

/** The next event of an object is there already. */
async function takeSequence(merchantId: string, objectId: string, sequence: number, type: string) {
  await service.db.query(
    `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     values ($1, $2, 'x.y', $5, $3, $4, 'x', $3, '{}', now())`,
    [merchantId, randomUUID(), objectId, sequence, type],
  );
}

async function doctor(): Promise<[boolean, string]> {
  const found: [boolean, string][] = [];
  await examineDueWork(service.db, (_, ok, detail) => found.push([ok, detail]));
  return found[0]!;
}

test('an intent that cannot expire keeps nobody else’s, is logged with its merchant, and doctor names it', async () => {
  const { db, clock } = service;
  const of = async (shop: TestMerchant) =>
    (await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'o' })).body;
  const made = [await of(odd), await of(odd), await of(good)];
  await takeSequence(odd.id, made[0].id, 1, 'payment_intent');
  const now = addMinutes(clock.now(), 60);
  await db.query('update watched_accounts set read_through = $1', [now]);
  expect(await expireDueIntents(db, now, log)).toBe(2);
  const rows = await db.query<{ id: string; status: string }>('select id, status from payment_intents');
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [made[0].id, 'pending'],
      [made[1].id, 'expired'],
      [made[2].id, 'expired'],
    ]),
  );
  expect(lines.join()).toContain(odd.id);
  expect((await doctor())[0]).toBe(true);
  // It comes again, later and later, and not in between.
  expect(await expireDueIntents(db, now, log)).toBe(0);
  expect(lines).toHaveLength(1);
  for (const minutes of [1, 2]) await expireDueIntents(db, addMinutes(now, minutes), log);
  expect(lines).toHaveLength(3);
  expect(await doctor()).toEqual([
    false,
    expect.stringMatching(new RegExp(`${made[0].id}.*${odd.id}.*expire intents`)),
  ]);
  await db.query('update payment_intents set sequence = 1 where id = $1', [made[0].id]);
  expect(await expireDueIntents(db, addMinutes(now, 60), log)).toBe(1);
  expect((await doctor())[0]).toBe(true);
});

test('a full slice of sessions that cannot expire starves no other', async () => {
  const { db, clock } = service;
  const session = async (shop: TestMerchant) =>
    newSession(shop, (await newProject(shop)).id, { amountCents: 100 });
  const [first, other] = [await session(odd), await session(good)];
  await takeSequence(odd.id, first.id, 2, 'checkout_session');
  const now = addMinutes(clock.now(), 60 * 25);
  await db.query(
    "update watched_accounts set read_through = $1, watch_until = $1::timestamptz + interval '1 day'",
    [now],
  );
  expect(await expireDueSessions(db, now, log)).toBe(1);
  const rows = await db.query('select id from checkout_sessions where status = $1', ['expired']);
  expect(rows).toEqual([{ id: other.id }]);
  expect(lines).toHaveLength(1);
});

test('summaries in a time zone that is none, more than a slice of them, and from long ago, stop nobody’s', async () => {
  const { db, clock } = service;
  const channel = (id: string, count: number, zone: string, at: string) =>
    db.query(
      `insert into webhook_endpoints (merchant_id, id, name, url, secret, event_types, created_at, kind, summary_time_zone, summary_at, summary_since)
       select $1, gen_random_uuid(), 'x', 'https://x.example', '\\x00', '{notification.summary}', now(), 'https', $3, $4, $4
         from generate_series(1, $2)`,
      [id, count, zone, at],
    );
  await channel(odd.id, 101, 'Nowhere/At all', '2020-01-01T00:00:00Z');
  await channel(odd.id, 1, 'Europe/Berlin', '1000-01-01T00:00:00Z');
  await channel(good.id, 1, 'UTC', '2026-01-01T08:00:00Z');
  await sendDueSummaries(db, clock.now(), log);
  const late = await db.query<{ count: number }>(
    `select count(*)::integer as count from webhook_endpoints where summary_at < $1 and summary_time_zone not like 'Now%'`,
    [clock.now()],
  );
  expect(late).toEqual([{ count: 0 }]);
  expect(lines).toHaveLength(4);
});

test.each(['0001-01-01T00:00:00Z', '2026-11-01T08:00:00Z', '2026-11-18T08:00:00Z'])(
  'the last summary that is due since %s',
  (dueAt) => {
    const before = new Date('2026-11-18T09:30:00Z');
    expect(lastDueSummary(new Date(dueAt), before, 8, 'UTC')).toEqual({
      to: new Date('2026-11-18T08:00:00Z'),
      next: new Date('2026-11-19T08:00:00Z'),
    });
  },
);

test('the standings of a merchant in a time zone that is none keep nobody else’s', async () => {
  const { db, clock } = service;
  for (const shop of [odd, good])
    await db.query(`insert into revenue_ranges values ($1, $2, '7d', '2026-01-01T00:00:00Z')`, [
      shop.id,
      (await newProject(shop)).id,
    ]);
  await db.query(`update merchants set time_zone = 'Nowhere/At all' where id = $1`, [odd.id]);
  await keepStandings(db, clock.now(), undefined, { log });
  const old = await db.query(
    `select merchant_id as id from revenue_ranges where range = '7d' and since = '2026-01-01T00:00:00Z'`,
  );
  expect(old).toEqual([{ id: odd.id }]);
  expect(lines).toHaveLength(1);
});

test('a refund that cannot expire keeps no other', async () => {
  const t = await testChain();
  ({ service } = t);
  const refunds = [];
  for (let n = 0; n < 2; n++) {
    const { id } = await paidIntent(t);
    refunds.push(await newRefund(t, { paymentIntentId: id, amountCents: 10 }));
  }
  const [row] = await service.db.query<{ sequence: number }>('select sequence from refunds where id = $1', [
    refunds[0].id,
  ]);
  await takeSequence(t.shop.id, refunds[0].id, row!.sequence + 1, 'refund');
  const now = addMinutes(service.clock.now(), 60 * 24 * 400);
  expect(await expireDueRefunds(service.db, 'mint', now, log)).toBe(1);
  expect((await readRefund(t, refunds[1])).status).toBe('expired');
  expect(lines.join()).toContain(t.shop.id);
});
