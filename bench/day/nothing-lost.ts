import type pg from 'pg';
import { wantsEvent } from '../../src/webhooks/event-types.ts';
import { type Acknowledged, type FinalPayment, PATHS } from './mix.ts';
import type { Times } from './open-loop.ts';

export interface DayEvent {
  id: string;
  event: string;
  orderingKey: string;
  objectId: string;
  createdMs: number;
  /** Intent that it reports as paid, if it does. */
  intentId: string | null;
}

export type Noted = [id: string, atMs: number][];

/** Lists in sentences what was acknowledged and is not there; an empty list keeps the promise. */
export async function listLost(
  db: pg.Client,
  acknowledged: Acknowledged,
  finals: readonly FinalPayment[],
): Promise<string[]> {
  const missing = async (what: string, ids: readonly string[], found: string) => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from unnest($1::text[]) as t(id) where not exists (${found})`,
      [ids],
    );
    const { count } = rows[0]!;
    return count > 0 ? [`${count} of ${ids.length} ${what}`] : [];
  };
  const intentIds = finals.map(({ intentId }) => intentId);
  return [
    await missing('acknowledged intents do not exist', acknowledged.intents, is('payment_intents')),
    await missing('acknowledged sessions do not exist', acknowledged.sessions, is('checkout_sessions')),
    await missing(
      'opened invoices are not there',
      acknowledged.invoices,
      `${is('invoices')} and r.number is not null`,
    ),
    await missing(
      'acknowledged usage records do not exist',
      acknowledged.usageKeys,
      'select from usage_records where idempotency_key = t.id',
    ),
    await missing(
      'final payments are not settled',
      intentIds,
      `${is('payment_intents')} and r.status = 'succeeded'`,
    ),
  ].flat();
}

const is = (table: string) => `select from ${table} r where r.id = t.id::uuid`;

export async function listEvents(db: pg.Client, since: Date): Promise<DayEvent[]> {
  const { rows } = await db.query<DayEvent>(
    `select e.id, e.event, e.ordering_key as "orderingKey", e.object_id as "objectId",
            extract(epoch from e.created_at)::float8 * 1000 as "createdMs",
            case e.event when 'payment_intent.succeeded' then e.object_id
                         when 'checkout.session.completed' then s.payment_intent_id end as "intentId"
       from events e left join checkout_sessions s on s.merchant_id = e.merchant_id and s.id = e.object_id
      where e.created_at >= $1 order by e.ordinal`,
    [since],
  );
  return rows.filter(({ event }) => wantsEvent(null, event));
}

/** Events that never came, and those that came before one written earlier under the same key. `events` are in their order. */
export function listUndelivered(events: readonly DayEvent[], noted: Noted): string[] {
  const places = new Map(noted.map(([id], place) => [id, place]));
  const missing = events.filter(({ id }) => !places.has(id));
  const lastPlaces = new Map<string, number>();
  let early = 0;
  for (const { id, orderingKey } of events) {
    const place = places.get(id);
    if (place === undefined) continue;
    if (place < (lastPlaces.get(orderingKey) ?? -1)) early++;
    else lastPlaces.set(orderingKey, place);
  }
  return [
    ...(missing.length > 0 ? [`${missing.length} of ${events.length} events never came`] : []),
    ...(early > 0 ? [`${early} of ${events.length} events came out of order`] : []),
  ];
}

/** Notes times that only the receiver can measure: of events, payments and renewals until their webhooks arrive. */
export function noteWebhookTimes(
  times: Times,
  {
    events,
    noted,
    finals,
    dueRenewals,
  }: {
    events: readonly DayEvent[];
    noted: Noted;
    finals: readonly FinalPayment[];
    dueRenewals: ReadonlyMap<string, number>;
  },
): void {
  const arrivals = new Map(noted);
  const finalMs = new Map(finals.map(({ intentId, atMs }) => [intentId, atMs]));
  for (const { id, event, createdMs, intentId, objectId } of events) {
    const atMs = arrivals.get(id);
    if (atMs === undefined) continue;
    times.note(PATHS.webhook, Math.max(0, atMs - createdMs));
    const final = intentId === null ? undefined : finalMs.get(intentId);
    if (final !== undefined) times.note(PATHS.settled, Math.max(0, atMs - final));
    // A checkout has two events that say so; the first counts.
    if (intentId !== null) finalMs.delete(intentId);
    const dueMs = event === 'subscription.renewal_due' ? dueRenewals.get(objectId) : undefined;
    if (dueMs !== undefined) times.note(PATHS.renewal, Math.max(0, atMs - dueMs));
  }
}
