import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../../platform/db/database.ts';
import { type ClaimedEvent, claimEvents } from '../../platform/events/claim-events.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Rooms } from './concurrency-limiter.ts';
import { type Claim, LEASE_MS } from './delivery.ts';
import {
  type Endpoint,
  insertDeliveries,
  lockOrInsertEndpoints,
  type NewDelivery,
  updateSettled,
} from './queries.ts';

export interface Dispatched {
  taken: number;
  /** Those this worker sends now; the other deliveries are claimed later. */
  claims: Claim[];
}

/**
 * Turns events into deliveries, each event once, those of a merchant in the order they were written; merchants
 * without capacity come last. What can start right away is leased in the same statement. What a merchant without a
 * URL missed stays in the events and is not sent later.
 */
export async function dispatchEvents(
  db: Database,
  rooms: Rooms & { slots: number },
  limit: number,
  now: Date,
): Promise<Dispatched> {
  return db.transaction(async (tx) => {
    const full = [...rooms.known].flatMap(([merchantId, room]) => (room === 0 ? [merchantId] : []));
    const events = await claimEvents(tx, limit, full);
    if (events.length === 0) return { taken: 0, claims: [] };
    const merchantIds = [...new Set(events.map((event) => event.merchantId))];
    const endpoints = new Map(
      (await lockOrInsertEndpoints(tx, merchantIds)).map((endpoint) => [endpoint.merchantId, endpoint]),
    );
    await settleWithoutUrl(tx, events, endpoints);
    const rows = draftDeliveries(events, endpoints, rooms, now);
    if (rows.length === 0) return { taken: events.length, claims: [] };
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const leased = new Set(await insertDeliveries(tx, rows, { now, leaseUntil }));
    const bodies = new Map(events.map((event) => [event.eventId, event.body]));
    const claims = rows
      .filter((row) => leased.has(row.id))
      .map((row) => {
        const { merchantId, id, eventId } = row;
        const { claimAt: _, ...target } = endpoints.get(merchantId)!;
        const leaseId = row.leaseId!;
        return { ...target, id, eventId, leaseId, leaseUntil, number: 1, body: bodies.get(eventId)! };
      });
    return { taken: events.length, claims };
  });
}

type Endpoints = ReadonlyMap<string, Endpoint>;

async function settleWithoutUrl(
  tx: Tx,
  events: readonly ClaimedEvent[],
  endpoints: Endpoints,
): Promise<void> {
  const last = new Map<string, bigint>();
  for (const { merchantId, ordinal } of events)
    if (endpoints.get(merchantId)!.url === null) last.set(merchantId, ordinal);
  if (last.size === 0) return;
  await updateSettled(
    tx,
    [...last].map(([merchantId, ordinal]) => ({ merchantId, ordinal })),
  );
}

/** Leases go to the first of each ordering key, for merchants with capacity and no older delivery waiting. */
function draftDeliveries(
  events: readonly ClaimedEvent[],
  endpoints: Endpoints,
  { slots, usual, known }: Rooms & { slots: number },
  now: Date,
): NewDelivery[] {
  const rooms = new Map<string, number>();
  for (const { merchantId, claimAt } of endpoints.values())
    rooms.set(merchantId, claimAt !== null && claimAt <= now ? 0 : (known.get(merchantId) ?? usual));
  const orderingKeys = new Set<string>();
  let left = slots;
  return events.flatMap(({ merchantId, eventId, event, ordinal, orderingKey }) => {
    const { url } = endpoints.get(merchantId)!;
    if (url === null) return [];
    const room = rooms.get(merchantId)!;
    const starts = left > 0 && room > 0 && !orderingKeys.has(orderingKey);
    orderingKeys.add(orderingKey);
    if (starts) {
      left--;
      rooms.set(merchantId, room - 1);
    }
    const leaseId = starts ? randomUUID() : null;
    return [{ merchantId, id: newId(now), eventId, event, ordinal, orderingKey, url, leaseId }];
  });
}
