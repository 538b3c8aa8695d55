import type { Queryable } from '../platform/db/database.ts';
import { isOpenMerchant } from '../platform/db/open-merchants.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { notSetAside } from '../platform/set-aside/not-set-aside.ts';
import { type Intent, paymentIntents } from './intent.ts';
import { ALLOCATED_ADDS_CENTS, IS_SEEN, SENT_MAY_LAND, SIGNED_MAY_LAND } from './seen.ts';

export const COLUMNS = paymentIntents.columns('i');

/** Reads many, in any order, each with the place of its ref, from 1; concurrent reads share this statement. */
export async function listIntentsByRef(
  db: Queryable,
  refs: readonly Ref[],
): Promise<(Intent & { place: number })[]> {
  return db.query<Intent & { place: number }>(
    `select r.place::integer, ${COLUMNS}
       from unnest($1::uuid[], $2::uuid[]) with ordinality as r(merchant_id, id, place)
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

/** Locks the row, so that two callers cannot decide about one intent concurrently. */
export const lockIntent = (tx: Queryable, { merchantId, id }: Ref) =>
  paymentIntents.lock(tx, { merchantId, id });

export const INTENTS_TO_EXPIRE = 'expire intents';

const IS_DUE = `i.status in ('pending', 'failed') and i.session_ordering_key is null and i.destination_address = $1
        and i.expires_at <= $2 and ${notSetAside(INTENTS_TO_EXPIRE, '$3', { merchantId: 'i.merchant_id', id: 'i.id' })}
        and not (select ${IS_SEEN} from payment_allocations c where c.merchant_id = i.merchant_id and c.intent_id = i.id)`;

/** Intents of a destination that are past their deadline, with no money seen, and not locked by another. */
export async function lockDueIntents(
  tx: Queryable,
  { destination, through, now, only }: { destination: string; through: Date; now: Date; only?: string },
  limit: number,
): Promise<Intent[]> {
  return tx.query<Intent>(
    `select ${COLUMNS} from payment_intents i
      where ${IS_DUE} and ($5::uuid is null or i.id = $5)
      order by i.expires_at limit $4 for no key update skip locked`,
    [destination, through, now, limit, only ?? null],
  );
}

/** The same without a lock, to try each alone. */
export async function listDueIntents(
  db: Queryable,
  { destination, through, now }: { destination: string; through: Date; now: Date },
  limit: number,
): Promise<Ref[]> {
  return db.query(
    `select i.merchant_id, i.id from payment_intents i where ${IS_DUE} order by i.expires_at limit $4`,
    [destination, through, now, limit],
  );
}

/** Intents that expect money under one of these references at this destination; locked in a fixed order. */
export async function lockIntentsByReference(
  tx: Queryable,
  destination: string,
  references: readonly string[],
): Promise<Intent[]> {
  return tx.query<Intent>(
    `select ${COLUMNS} from payment_intents i
      where i.reference_address = any($2) and i.destination_address = $1 order by i.id for no key update`,
    [destination, references],
  );
}

/** The same for several destinations. */
export async function lockIntentsNamed(
  tx: Queryable,
  destinations: readonly string[],
  references: readonly string[],
): Promise<Intent[]> {
  return tx.query<Intent>(
    `select ${COLUMNS} from payment_intents i
      where i.reference_address = any($2) and i.destination_address = any($1) order by i.id for no key update`,
    [destinations, references],
  );
}

/** True if any of these accounts is the reference of another intent that is paid at this address. */
export async function hasAnotherIntent(
  db: Queryable,
  accounts: readonly string[],
  { intentId, payTo }: { intentId: string; payTo: string },
): Promise<boolean> {
  const rows = await db.query(
    `select from payment_intents
      where reference_address = any($1) and destination_address = $2 and id <> $3 limit 1`,
    [accounts, payTo, intentId],
  );
  return rows.length > 0;
}

/** For decisions about several intents; always in the same order, to avoid deadlocks. */
export async function lockIntentsById(tx: Queryable, refs: readonly Ref[]): Promise<Intent[]> {
  if (refs.length === 0) return [];
  return tx.query<Intent>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.id
      order by i.id for no key update of i`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

/** Stores what may change of an intent: its status, and the money behind it. */
export async function updateIntents(tx: Queryable, intents: readonly Intent[]): Promise<void> {
  await tx.query(
    `update payment_intents i
        set status = c.status, status_without_payment = c.status_without_payment, sequence = c.sequence,
            received_base_units = c.received, tx_signature = c.signature, succeeded_at = c.succeeded_at,
            paid_via = c.paid_via, payer_address = c.payer_address
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::numeric[], $7::text[],
                   $8::timestamptz[], $9::text[], $10::text[])
            as c(merchant_id, id, status, status_without_payment, sequence, received, signature, succeeded_at, paid_via,
                 payer_address)
      where i.merchant_id = c.merchant_id and i.id = c.id`,
    [
      intents.map((intent) => intent.merchantId),
      intents.map((intent) => intent.id),
      intents.map((intent) => intent.status),
      intents.map((intent) => intent.statusWithoutPayment),
      intents.map((intent) => intent.sequence),
      intents.map((intent) => intent.receivedBaseUnits.toString()),
      intents.map((intent) => intent.txSignature),
      intents.map((intent) => intent.succeededAt),
      intents.map((intent) => intent.paidVia),
      intents.map((intent) => intent.payerAddress),
    ],
  );
}

/** True if an intent without a session has paid the order. Orders of sessions belong to their projects. */
export async function findPaidOrder(db: Queryable, merchantId: string, orderId: string): Promise<boolean> {
  const rows = await db.query(
    `select from payment_intents
      where merchant_id = $1 and order_id = $2 and status = 'succeeded' and session_ordering_key is null limit 1`,
    [merchantId, orderId],
  );
  return rows.length > 0;
}

const PROJECT_OF = (intent: string) => `
  (select project_id from checkout_sessions s
    where s.merchant_id = ${intent}.merchant_id and s.payment_intent_id = ${intent}.id)`;

/**
 * Intents among these whose order another one has already paid. An order belongs to the project of its session; orders
 * without a session are a group of their own.
 */
export async function listPaidAmong(db: Queryable, intents: readonly Intent[]): Promise<{ id: string }[]> {
  return db.query<{ id: string }>(
    `select g.id from unnest($1::uuid[], $2::text[], $3::uuid[]) as g(merchant_id, order_id, id)
      where exists (select from payment_intents i where i.merchant_id = g.merchant_id and i.order_id = g.order_id
                       and i.status = 'succeeded' and i.id <> g.id
                       and ${PROJECT_OF('i')} is not distinct from ${PROJECT_OF('g')})`,
    [
      intents.map((intent) => intent.merchantId),
      intents.map((intent) => intent.orderId),
      intents.map((intent) => intent.id),
    ],
  );
}

/** True if anything at the destination is due to expire at `time`. */
export async function hasDueIntents(db: Queryable, destination: string, time: Date): Promise<boolean> {
  const rows = await db.query(
    `select from payment_intents
      where status in ('pending', 'failed') and not is_withdrawn and destination_address = $1 and expires_at <= $2
      limit 1`,
    [destination, time],
  );
  return rows.length > 0;
}

/** The same for many addresses: those of them where it is so. */
export async function listDueDestinations(
  db: Queryable,
  destinations: readonly string[],
  time: Date,
): Promise<string[]> {
  const rows = await db.query<{ destination: string }>(
    `select destination from unnest($1::text[]) as d(destination)
      where exists (select from payment_intents
                     where status in ('pending', 'failed') and not is_withdrawn
                       and destination_address = d.destination and expires_at <= $2)`,
    [destinations, time],
  );
  return rows.map((row) => row.destination);
}

/**
 * True if a payment of at least a cent is confirmed and not counted yet, which leaves the status as it was if it is a
 * part, or was signed by our fee payer or sent by us and can still land, or has landed and was not read yet.
 */
export async function hasPaymentUnderWay(tx: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const [row] = await tx.query<{ isUnderWay: boolean }>(
    `select ${ALLOCATED_ADDS_CENTS} or ${SIGNED_MAY_LAND} or ${SENT_MAY_LAND} as is_under_way
       from payment_allocations where merchant_id = $1 and intent_id = $2`,
    [merchantId, id],
  );
  return row!.isUnderWay;
}

/** True if anything toward an intent is confirmed and not final yet, however little. */
export async function hasPendingAllocation(tx: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await tx.query(
    'select from payment_allocations where merchant_id = $1 and intent_id = $2 and not is_final limit 1',
    [merchantId, id],
  );
  return rows.length > 0;
}

/**
 * Claims an intent whose own reference is due to be looked up; it is due again at `leaseUntil` unless rescheduled. It is one of
 * the merchant whose turn was longest ago. Of theirs, what we have sent comes first, then what is new since the last look.
 */
export async function lockDueReferenceCheck(
  db: Queryable,
  { now, leaseUntil, served }: { now: Date; leaseUntil: Date; served: readonly string[] },
): Promise<Intent | undefined> {
  const [intent] = await db.query<Intent>(
    `update payment_intents i set reference_check_at = $2, reference_checked_at = $1
       from (select p.merchant_id, p.id from payment_intents p
              where p.reference_check_at <= $1
                and p.merchant_id = (select merchant_id from payment_intents
                                      where reference_check_at <= $1 and ${isOpenMerchant()} group by merchant_id
                                      order by array_position($3::uuid[], merchant_id) nulls first,
                                               min(reference_check_at) limit 1)
              order by coalesce((select case when bool_or(s.sends > 0) then 0
                                             when max(s.submitted_at) >= p.reference_checked_at then 1 end
                                   from submitted_signatures s
                                  where s.merchant_id = p.merchant_id and s.intent_id = p.id),
                                case when p.reference_checked_at is null then 1 else 2 end),
                       p.reference_check_at
              limit 1 for no key update of p skip locked) due
      where i.merchant_id = due.merchant_id and i.id = due.id
     returning ${COLUMNS}`,
    [now, leaseUntil, served],
  );
  return intent;
}

/** Moves the next check to `now`, but not closer than `restSeconds` to the last one. */
export async function updateReferenceCheckSooner(
  db: Queryable,
  { merchantId, id }: Ref,
  now: Date,
  restSeconds: number,
): Promise<void> {
  const soonest = 'greatest($3::timestamptz, reference_checked_at + make_interval(secs => $4))';
  await db.query(
    `update payment_intents set reference_check_at = ${soonest}
      where merchant_id = $1 and id = $2 and (reference_check_at is null or reference_check_at > ${soonest})`,
    [merchantId, id, now, restSeconds],
  );
}

/** Only while the claim is valid: a check requested meanwhile is not lost. */
export async function updateReferenceCheck(
  db: Queryable,
  { merchantId, id }: Ref,
  leaseUntil: Date,
  at: Date | null,
): Promise<void> {
  await db.query(
    `update payment_intents set reference_check_at = $4
      where merchant_id = $1 and id = $2 and reference_check_at = $3`,
    [merchantId, id, leaseUntil, at],
  );
}

/** By id only, for payers: they have no key, and an intent's id reveals nothing about anyone else. */
export async function findIntentAnywhere(db: Queryable, id: string): Promise<Intent | undefined> {
  const [row] = await db.query<Intent>(
    `select ${COLUMNS} from payment_intents i where uuid_send(i.id) = uuid_send($1::uuid)`,
    [id],
  );
  return row;
}
