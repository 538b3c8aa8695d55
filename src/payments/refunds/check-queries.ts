import { as, bigint, boolean, numeric, text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { Refund } from './refund.ts';

/** Transactions that sent money of a refund. */
export const refundTransfers = table(
  'refund_transfers',
  {
    merchantId: uuid,
    refundId: uuid,
    signature: text,
    slot: bigint,
    blockTime: timestamp,
    baseUnits: as<BaseUnits>(numeric),
    isFinal: boolean,
    createdAt: timestamp,
  },
  ['merchantId', 'refundId', 'signature'],
);
export type RefundTransfer = Omit<RowOf<typeof refundTransfers>, 'merchantId' | 'refundId' | 'createdAt'>;

/** Lists transfers of a refund in the order in which they were found. */
export async function listRefundTransfers(db: Queryable, { merchantId, id }: Ref): Promise<RefundTransfer[]> {
  return db.query(
    `select signature, slot, block_time, base_units, is_final
       from refund_transfers where merchant_id = $1 and refund_id = $2 order by created_at, slot, signature`,
    [merchantId, id],
  );
}

/** The same of several refunds, by the refund's id. */
export async function listTransfersOfRefunds(
  db: Queryable,
  refs: readonly Ref[],
): Promise<Map<string, RefundTransfer[]>> {
  const rows = await db.query<RefundTransfer & { refundId: string }>(
    `select t.refund_id, t.signature, t.slot, t.block_time, t.base_units,
            t.is_final
       from unnest($1::uuid[], $2::uuid[]) as asked(merchant_id, id)
       join refund_transfers t on t.merchant_id = asked.merchant_id and t.refund_id = asked.id
      order by t.created_at, t.slot, t.signature`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
  return Map.groupBy(rows, ({ refundId }) => refundId);
}

/** Inserts or updates a transfer; one that is final stays as it is. */
export async function upsertRefundTransfer(
  tx: Queryable,
  { merchantId, id }: Ref,
  transfer: RefundTransfer,
  now: Date,
): Promise<void> {
  await refundTransfers.insert(
    tx,
    { ...transfer, merchantId, refundId: id, createdAt: now },
    `on conflict (merchant_id, refund_id, signature) do update
       set slot = excluded.slot, block_time = excluded.block_time, base_units = excluded.base_units,
           is_final = excluded.is_final
     where not refund_transfers.is_final`,
  );
}

export async function deletePendingRefundTransfer(
  tx: Queryable,
  { merchantId, id }: Ref,
  signature: string,
): Promise<void> {
  await tx.query(
    'delete from refund_transfers where merchant_id = $1 and refund_id = $2 and signature = $3 and not is_final',
    [merchantId, id, signature],
  );
}

const STATUSES_OF = {
  open: `('ready', 'processing')`,
  over: `('succeeded', 'canceled', 'expired')`,
} as const;
/** Either refunds that can be sent, or those that are over and only checked for money that was sent all the same. */
export type WhichRefunds = keyof typeof STATUSES_OF;

/** Refunds whose next lookup is due, leased to the caller until `leaseUntil`. */
export async function claimRefundChecks(
  db: Queryable,
  which: WhichRefunds,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<Ref[]> {
  return db.query(
    `update refunds set check_at = $2
      where (merchant_id, id) in (
        select merchant_id, id from refunds where check_at <= $1 and status in ${STATUSES_OF[which]}
           and ${isOpenMerchant()}
         order by check_at limit $3 for update skip locked)
      returning merchant_id, id`,
    [now, leaseUntil, limit],
  );
}

export interface CheckedRefund extends Ref {
  checkAt: Date | null;
  checkedSignature: string | null;
  preparedAt: Date | null;
  /** True if the transaction that was prepared or sent last can no longer land. */
  isLapsed: boolean;
  lapsesAtHeight: bigint | null;
}

/**
 * Stores the next lookup after a look, unless something has brought it forward meanwhile. What was found out about a
 * transaction that may land holds unless another was prepared since.
 */
export async function updateChecks(
  db: Queryable,
  leaseUntil: Date,
  checked: readonly CheckedRefund[],
): Promise<void> {
  await db.query(
    `update refunds r
        set check_at = case when r.check_at = $1 then c.check_at else r.check_at end,
            checked_signature = c.checked_signature,
            prepared_until = case when r.prepared_at is distinct from c.prepared_at or not c.is_lapsed
                                  then r.prepared_until end,
            lapses_at_height = case when r.prepared_at is distinct from c.prepared_at then r.lapses_at_height
                                    else c.lapses_at_height end
       from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::boolean[], $8::bigint[])
              as c(merchant_id, id, check_at, checked_signature, prepared_at, is_lapsed, lapses_at_height)
      where r.merchant_id = c.merchant_id and r.id = c.id`,
    [
      leaseUntil,
      checked.map(({ merchantId }) => merchantId),
      checked.map(({ id }) => id),
      checked.map(({ checkAt }) => checkAt),
      checked.map(({ checkedSignature }) => checkedSignature),
      checked.map(({ preparedAt }) => preparedAt),
      checked.map(({ isLapsed }) => isLapsed),
      checked.map(({ lapsesAtHeight }) => lapsesAtHeight),
    ],
  );
}

/** Looks these up as soon as possible: somebody is about to send them, or says to have done so. */
export async function updateCheckSooner(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    `update refunds set check_at = least(check_at, $3)
      where merchant_id = $1 and id = any($2) and address_approved_at is not null`,
    [merchantId, ids, now],
  );
}

/** The same for those that an outgoing transaction names. */
export async function updateCheckByReference(
  db: Queryable,
  accounts: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    `update refunds set check_at = $2
      where reference_address = any($1) and address_approved_at is not null and (check_at is null or check_at > $2)`,
    [accounts, now],
  );
}

/** A transaction for these has been handed out, so that the next minutes are worth looking. Answers which it is for. */
export async function updatePrepared(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  { now, until, isOnlyOne }: { now: Date; until: Date; isOnlyOne: boolean },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `update refunds set prepared_at = $3, prepared_until = $4, lapses_at_height = null,
        check_at = least(check_at, $3), sent_signature = null, sends = 0
      where merchant_id = $1 and id = any($2)
        and (prepared_until is null or (sent_signature is null and not $5)) returning id`,
    [merchantId, ids, now, until, isOnlyOne],
  );
  return rows.map(({ id }) => id);
}

/** Sets these aside for one transaction; returns those of which no other one may still land. */
export async function updateSending(
  tx: Queryable,
  merchantId: string,
  ids: readonly string[],
  { signature, now, until }: { signature: string; now: Date; until: Date },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update refunds set sent_signature = $3, prepared_at = $4, prepared_until = $5, lapses_at_height = null,
        check_at = least(check_at, $4),
        sends = case when sent_signature = $3 and prepared_until is not null then sends + 1 else 1 end
      where merchant_id = $1 and id = any($2) and status = 'ready'
        and (prepared_until is null or sent_signature is null or sent_signature = $3) returning id`,
    [merchantId, ids, signature, now, until],
  );
  return rows.map(({ id }) => id);
}

/** One more transaction of a refund is about to be sent, whatever else of it is under way. */
export async function updateSentBeyond(
  db: Queryable,
  { merchantId, id }: Ref,
  { signature, now, until }: { signature: string; now: Date; until: Date },
): Promise<void> {
  await db.query(
    `update refunds set sent_signature = $3, prepared_at = $4, prepared_until = $5, lapses_at_height = null,
        check_at = least(check_at, $4), sends = 1
      where merchant_id = $1 and id = $2`,
    [merchantId, id, signature, now, until],
  );
}

/** The network has not taken it this time: unless it was sent another time too, another one may be sent at once. */
export async function updateNotSent(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  signature: string,
): Promise<boolean> {
  const rows = await db.query<{ isAwaited: boolean }>(
    `update refunds set sends = sends - 1, sent_signature = case when sends > 1 then sent_signature end,
        prepared_until = case when sends > 1 then prepared_until end
      where merchant_id = $1 and id = any($2) and sent_signature = $3 and sends > 0
     returning sends > 0 as is_awaited`,
    [merchantId, ids, signature],
  );
  return rows.some(({ isAwaited }) => isAwaited);
}

export type ProvenRefund = Pick<
  Refund,
  'merchantId' | 'id' | 'referenceAddress' | 'status' | 'amountCents' | 'sentSignature'
> & { address: string };

/** Lists every refund that money was found for; with `from` those of which some is in a block that is not older. */
export async function listProvenRefunds(db: Queryable, from: Date | undefined): Promise<ProvenRefund[]> {
  return db.query(
    `select merchant_id, id, address, reference_address, status, amount_cents, sent_signature
       from refunds r where sent_base_units > 0
        and ($1::timestamptz is null or exists (
              select from refund_transfers t
               where t.merchant_id = r.merchant_id and t.refund_id = r.id and t.block_time >= $1))
      order by merchant_id, id`,
    [from ?? null],
  );
}
