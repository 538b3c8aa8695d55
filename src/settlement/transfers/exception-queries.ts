import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { LISTED_STATUSES, type PaymentException } from './exception.ts';

const EXCEPTION_COLUMNS = `
  id, merchant_id, kind, status, signature, destination, mint, base_units, decimals,
  intent_id, linked_intent_id,
  posting_id, refund_id, is_after_payment, transfer_count, note, created_at,
  resolved_at`;

/** Inserts an exception once per transaction, kind and intent; false for one that is listed already. */
export async function insertException(tx: Queryable, exception: PaymentException): Promise<boolean> {
  const rows = await tx.query(
    `insert into payment_exceptions (merchant_id, id, kind, status, signature, destination, mint, base_units,
                                     intent_id, posting_id, created_at, resolved_at, refund_id,
                                     is_after_payment, decimals)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing returning id`,
    [
      exception.merchantId,
      exception.id,
      exception.kind,
      exception.status,
      exception.signature,
      exception.destination,
      exception.mint,
      exception.baseUnits.toString(),
      exception.intentId,
      exception.postingId,
      exception.createdAt,
      exception.resolvedAt,
      exception.refundId,
      exception.isAfterPayment,
      exception.decimals,
    ],
  );
  return rows.length > 0;
}

/**
 * Counts one more transfer of a wrong token if the intent's first is still open; false if there is none. The caller
 * holds the lock of the intent.
 */
export async function countWrongToken(tx: Queryable, exception: PaymentException): Promise<boolean> {
  const rows = await tx.query(
    `update payment_exceptions set transfer_count = transfer_count + 1
      where merchant_id = $1 and intent_id = $2 and destination = $3 and mint = $4
        and kind = 'wrong_mint' and status = 'open' and signature <> $5
      returning id`,
    [exception.merchantId, exception.intentId, exception.destination, exception.mint, exception.signature],
  );
  return rows.length > 0;
}

/** Dust only if its status, its transaction or its id is requested. */
export async function listExceptions(
  db: Queryable,
  merchantId: string,
  filter: {
    status?: string[] | undefined;
    kind?: string[] | undefined;
    txSignature?: string | undefined;
    exceptionId?: string | undefined;
    refundId?: string | undefined;
  },
  range: Range,
): Promise<PaymentException[]> {
  const isNamed =
    filter.txSignature !== undefined || filter.exceptionId !== undefined || filter.refundId !== undefined;
  const status = filter.status ?? (isNamed ? undefined : LISTED_STATUSES);
  const conditions = new Conditions()
    .add('merchant_id = ?', merchantId)
    .within('id', range)
    .add('status = any(?)', status)
    .add('kind = any(?)', filter.kind)
    .add('id = ?', filter.exceptionId)
    .add('refund_id = ?', filter.refundId)
    .add('signature = ?', filter.txSignature);
  return db.query<PaymentException>(
    `select ${EXCEPTION_COLUMNS} from payment_exceptions
      where ${conditions.where} order by id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

/** Lists exceptions that reference an intent or were linked to it, oldest first. */
export async function listExceptionsOfIntent(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<PaymentException[]> {
  return db.query<PaymentException>(
    `select ${EXCEPTION_COLUMNS} from payment_exceptions
      where merchant_id = $1 and (intent_id = $2 or linked_intent_id = $2) order by id`,
    [merchantId, intentId],
  );
}

export async function lockException(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<PaymentException | undefined> {
  const [row] = await tx.query<PaymentException>(
    `select ${EXCEPTION_COLUMNS} from payment_exceptions where merchant_id = $1 and id = $2 for update`,
    [merchantId, id],
  );
  return row;
}

export async function updateException(tx: Queryable, exception: PaymentException): Promise<void> {
  await tx.query(
    `update payment_exceptions set status = $3, linked_intent_id = $4, note = $5, resolved_at = $6, refund_id = $7, posting_id = $8
      where merchant_id = $1 and id = $2`,
    [
      exception.merchantId,
      exception.id,
      exception.status,
      exception.linkedIntentId,
      exception.note,
      exception.resolvedAt,
      exception.refundId,
      exception.postingId,
    ],
  );
}

export async function updateExceptionIntent(
  tx: Queryable,
  { merchantId, exceptionId, intentId }: { merchantId: string; exceptionId: string; intentId: string },
): Promise<void> {
  await tx.query('update payment_exceptions set intent_id = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    exceptionId,
    intentId,
  ]);
}

export async function findException(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<PaymentException | undefined> {
  const [row] = await db.query<PaymentException>(
    `select ${EXCEPTION_COLUMNS} from payment_exceptions where merchant_id = $1 and id = $2`,
    [merchantId, id],
  );
  return row;
}

/** Kept when it is undone, because the events of the exception may still name the customer. */
export async function insertCredit(
  tx: Queryable,
  { merchantId, id, postingId: replaced }: PaymentException,
  postingId: string,
): Promise<void> {
  await tx.query(
    `insert into exception_credits (merchant_id, posting_id, exception_id, replaced_posting_id)
     values ($1, $2, $3, nullif($4::uuid, $2::uuid)) on conflict do nothing`,
    [merchantId, postingId, id, replaced],
  );
}

/** The credit of another customer that a person's decision replaced. */
export async function findReplacedCredit(
  tx: Queryable,
  merchantId: string,
  postingId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ replaced: string | null }>(
    `select replaced_posting_id as replaced from exception_credits where merchant_id = $1 and posting_id = $2`,
    [merchantId, postingId],
  );
  return row?.replaced ?? null;
}

/** Lists what was sent beyond a refund's amount, by transaction. */
export async function listOverRefunded(
  tx: Queryable,
  merchantId: string,
  refundId: string,
): Promise<{ signature: string; baseUnits: BaseUnits }[]> {
  return tx.query(
    `select signature, base_units from payment_exceptions
      where merchant_id = $1 and refund_id = $2 and kind = 'over_refunded'
        and signature in (select t.signature from refund_transfers t where t.merchant_id = $1 and t.refund_id = $2)
      order by id`,
    [merchantId, refundId],
  );
}

/** True if a refund of the exception is promised, or sent and not proven yet. */
export async function hasRefundUnderWay(
  tx: Queryable,
  merchantId: string,
  exceptionId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select from refunds
      where merchant_id = $1 and exception_id = $2 and status in ('awaiting_address', 'ready', 'processing') limit 1`,
    [merchantId, exceptionId],
  );
  return rows.length > 0;
}

/** A token that we do not count, as its receiver sees it. */
export type ArrivedToken = Pick<PaymentException, 'mint' | 'baseUnits' | 'decimals'>;

const MAX_TOKENS = 3;

/** Other tokens that came for an intent and wait for a decision, the first few of them. */
export async function listOtherTokens(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<ArrivedToken[]> {
  return db.query<ArrivedToken>(
    `select mint, base_units, decimals from payment_exceptions
      where merchant_id = $1 and intent_id = $2 and kind = 'wrong_mint' and status = 'open'
      order by id limit ${MAX_TOKENS}`,
    [merchantId, intentId],
  );
}
