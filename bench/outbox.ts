import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** The body of a webhook, as long as a real one. */
export const BODY = JSON.stringify({
  id: '01a1de3a-8952-7000-921c-84d02fa2921f',
  event: 'payment_intent.succeeded',
  createdAt: '2026-01-01T12:00:00.000Z',
  sequence: 2,
  status: 'succeeded',
  data: {
    paymentIntentId: '01a1de3a-8952-7000-921c-84d02fa2921e',
    orderId: 'order-1f2e3d4c-12345',
    amountCents: 54_321,
    expectedAmountCents: 54_321,
    txSignature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  },
});

/** Writes events into the outbox, in turn for each merchant, each in an ordering key of its own. */
export async function writeEvents(
  db: pg.Client,
  merchantIds: readonly string[],
  count: number,
): Promise<void> {
  await db.query({ name: 'write-events', text: WRITE_EVENTS, values: [merchantIds, count, BODY] });
}

const WRITE_EVENTS = `
  with written as (
    insert into events (merchant_id, id, event, object_type, object_id, sequence, status, previous_status, ordering_key, body,
                        created_at)
    select ($1::uuid[])[1 + n % cardinality($1::uuid[])], uuidv7(), 'payment_intent.succeeded', 'payment_intent', ordering_key,
           2, 'succeeded', 'processing', ordering_key, $3, clock_timestamp()
      from (select n, gen_random_uuid() as ordering_key from generate_series(1, $2::integer) as n) as ordering_keys
    returning ordinal, merchant_id, id
  )
  insert into undispatched_events (ordinal, merchant_id, event_id) select ordinal, merchant_id, id from written`;

const LOOK_MS = 10;

/** Resolves when nothing of these merchants waits any more. */
export async function waitUntilDelivered(db: pg.Client, merchantIds: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await db.query({ name: 'waiting', text: WAITING, values: [merchantIds] });
    if (!rows[0].waits) return;
    await sleep(LOOK_MS);
  }
}

const WAITING = `
  select exists (select from undispatched_events where merchant_id = any($1::uuid[]))
      or exists (select from webhook_deliveries where merchant_id = any($1::uuid[]) and next_attempt_at is not null) as waits`;

/** Forgets what still waits for a merchant. */
export async function dropWaiting(db: pg.Client, merchantId: string): Promise<void> {
  await db.query('delete from undispatched_events where merchant_id = $1', [merchantId]);
  await db.query('delete from webhook_deliveries where merchant_id = $1', [merchantId]);
  await db.query('update webhook_endpoints set claim_at = null where merchant_id = $1', [merchantId]);
}

/** Milliseconds from the event to its recorded delivery, for everything written since. */
export async function listDelaysMs(
  db: pg.Client,
  merchantIds: readonly string[],
  since: Date,
): Promise<number[]> {
  const { rows } = await db.query(
    `select extract(epoch from d.delivered_at - e.created_at)::float8 * 1000 as ms
       from events e join webhook_deliveries d on d.merchant_id = e.merchant_id and d.event_id = e.id
      where e.merchant_id = any($1::uuid[]) and e.created_at >= $2`,
    [merchantIds, since],
  );
  return rows.map((row) => row.ms);
}
