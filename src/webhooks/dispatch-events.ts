import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../platform/db/database.ts';
import { isBusy, isUnavailable } from '../platform/db/database-errors.ts';
import {
  type ClaimedEvent,
  claimEvents,
  DISPATCH,
  listUndispatchedMerchants,
} from '../platform/events/claim-events.ts';
import { newId } from '../platform/lib/ids.ts';
import type { Logger } from '../platform/lib/log.ts';
import { eachAlone } from '../platform/set-aside/each-alone.ts';
import { listRetried } from '../platform/set-aside/queries.ts';
import type { Rooms } from './concurrency-limiter.ts';
import { type Claim, LEASE_MS } from './delivery.ts';
import { isAddressed, wantsEvent } from './event-types.ts';
import {
  type Endpoint,
  insertDeliveries,
  insertFirstEndpoints,
  listMerchantsFull,
  lockEndpoints,
  type NewDelivery,
  updateSettled,
} from './queries.ts';

export interface Dispatched {
  taken: number;
  /** Deliveries that this worker sends now; the others are claimed later. */
  claims: Claim[];
}

/**
 * Turns events into deliveries: each event once for each endpoint that wants it, those of an endpoint in the order they
 * were written; merchants without capacity come last. What can start right away is leased in the same statement. What
 * an endpoint without a URL missed stays in the events and is not sent later.
 * Events of all merchants go together; where that fails, those of each merchant alone, so that only the one at fault waits.
 */
export async function dispatchEvents(
  db: Database,
  rooms: Rooms & { slots: number },
  limit: number,
  now: Date,
  log?: Logger,
): Promise<Dispatched> {
  let isTogether = true;
  const together = await dispatchTogether(db, rooms, limit, { now }).catch((error: unknown) => {
    if (isUnavailable(error) || isBusy(error)) throw error;
    isTogether = false;
    return { taken: 0, claims: [] };
  });
  const again = (await listRetried(db, DISPATCH, now)).map(({ merchantId }) => merchantId);
  const merchantIds = isTogether ? again : [...again, ...(await listUndispatchedMerchants(db))];
  if (merchantIds.length === 0) return together;
  return eachAlone({ db, log }, DISPATCH, now, async (alone) => {
    let { taken, claims } = together;
    for (const merchantId of merchantIds) {
      const room = { ...rooms, slots: Math.max(0, rooms.slots - claims.length) };
      const one = await alone({ merchantId, id: merchantId }, () =>
        dispatchTogether(db, room, limit, { now, only: merchantId }),
      );
      if (one) [taken, claims] = [taken + one.taken, [...claims, ...one.claims]];
    }
    return { taken, claims };
  });
}

async function dispatchTogether(
  db: Database,
  rooms: Rooms & { slots: number },
  limit: number,
  { now, only }: { now: Date; only?: string },
): Promise<Dispatched> {
  return db.transaction(async (tx) => {
    const full = [...rooms.known].flatMap(([endpointId, room]) => (room === 0 ? [endpointId] : []));
    const later = full.length === 0 ? [] : await listMerchantsFull(tx, full);
    const events = await claimEvents(tx, limit, only === undefined ? { later } : { only });
    if (events.length === 0) return { taken: 0, claims: [] };
    const endpoints = await endpointsOf(tx, [...new Set(events.map((event) => event.merchantId))]);
    await settleUnwanted(tx, events, endpoints);
    const rows = draftDeliveries(events, endpoints, rooms, now);
    if (rows.length === 0) return { taken: events.length, claims: [] };
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const leased = new Set(await insertDeliveries(tx, rows, { now, leaseUntil }));
    const bodies = new Map(events.map((event) => [event.eventId, event.body]));
    const targets = new Map(
      [...endpoints.values()].flat().map((endpoint) => [endpoint.endpointId, endpoint]),
    );
    const claims = rows
      .filter((row) => leased.has(row.id))
      .map((row) => {
        const { endpointId, id, eventId } = row;
        const { claimAt: _, eventTypes: __, ...target } = targets.get(endpointId)!;
        const leaseId = row.leaseId!;
        return { ...target, id, eventId, leaseId, leaseUntil, number: 1, body: bodies.get(eventId)! };
      });
    return { taken: events.length, claims };
  });
}

/** By merchant; the first one of each always exists. */
type Endpoints = ReadonlyMap<string, Endpoint[]>;

async function endpointsOf(tx: Tx, merchantIds: readonly string[]): Promise<Endpoints> {
  const locked = await lockEndpoints(tx, merchantIds);
  const firsts = new Set(locked.map(({ endpointId }) => endpointId));
  const missing = merchantIds.filter((merchantId) => !firsts.has(merchantId));
  if (missing.length === 0) return Map.groupBy(locked, ({ merchantId }) => merchantId);
  await insertFirstEndpoints(tx, missing);
  const all = await lockEndpoints(tx, merchantIds);
  return Map.groupBy(all, ({ merchantId }) => merchantId);
}

async function settleUnwanted(tx: Tx, events: readonly ClaimedEvent[], endpoints: Endpoints): Promise<void> {
  const last = new Map<string, bigint>();
  for (const event of events)
    for (const endpoint of endpoints.get(event.merchantId)!)
      if (!isWanted(endpoint, event, endpoints)) last.set(endpoint.endpointId, event.ordinal);
  if (last.size === 0) return;
  await updateSettled(
    tx,
    [...last].map(([endpointId, ordinal]) => ({ endpointId, ordinal })),
  );
}

/** A test is for its own endpoint alone; a sample of one is for every webhook. */
function isWanted(endpoint: Endpoint, claimed: ClaimedEvent, endpoints: Endpoints): boolean {
  const { merchantId, event, orderingKey } = claimed;
  if (endpoint.url === null) return false;
  if (!isAddressed(event)) return wantsEvent(endpoint.eventTypes, event);
  const isForOne = endpoints.get(merchantId)!.some(({ endpointId }) => endpointId === orderingKey);
  return isForOne ? endpoint.endpointId === orderingKey : endpoint.kind === 'webhook';
}

/** Leases go to the first of each ordering key, for endpoints with capacity and no older delivery waiting. */
function draftDeliveries(
  events: readonly ClaimedEvent[],
  endpoints: Endpoints,
  { slots, usual, known }: Rooms & { slots: number },
  now: Date,
): NewDelivery[] {
  const rooms = new Map<string, number>();
  for (const { endpointId, claimAt } of [...endpoints.values()].flat())
    rooms.set(endpointId, claimAt !== null && claimAt <= now ? 0 : (known.get(endpointId) ?? usual));
  const orderingKeys = new Set<string>();
  let left = slots;
  return events.flatMap((event) => {
    const { merchantId, eventId, ordinal, orderingKey } = event;
    const wanting = endpoints.get(merchantId)!.filter((endpoint) => isWanted(endpoint, event, endpoints));
    return wanting.map(({ endpointId, url }) => {
      const room = rooms.get(endpointId)!;
      const starts = left > 0 && room > 0 && !orderingKeys.has(`${endpointId} ${orderingKey}`);
      orderingKeys.add(`${endpointId} ${orderingKey}`);
      if (starts) {
        left--;
        rooms.set(endpointId, room - 1);
      }
      const leaseId = starts ? randomUUID() : null;
      const id = newId(now);
      return {
        endpointId,
        merchantId,
        id,
        eventId,
        event: event.event,
        ordinal,
        orderingKey,
        url: url!,
        leaseId,
      };
    });
  });
}
