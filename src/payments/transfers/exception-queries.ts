import { nullable, uuid } from '../../platform/db/columns.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { table } from '../../platform/db/table.ts';
import type { Range } from '../../platform/http/list.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { LISTED_STATUSES, type PaymentException, paymentExceptions } from './exception.ts';

/** Account credits that exceptions became. Kept when it is undone: events of the exception may still name the customer. */
export const exceptionCredits = table(
  'exception_credits',
  {
    merchantId: uuid,
    postingId: uuid,
    exceptionId: uuid,
    /** The credit of another customer that a person's decision replaced. */
    replacedPostingId: nullable(uuid),
  },
  ['merchantId', 'postingId'],
);

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
    `select ${paymentExceptions.columns()} from payment_exceptions
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
    `select ${paymentExceptions.columns()} from payment_exceptions
      where merchant_id = $1 and (intent_id = $2 or linked_intent_id = $2) order by id`,
    [merchantId, intentId],
  );
}

export const findException = (db: Queryable, merchantId: string, id: string) =>
  paymentExceptions.find(db, { merchantId, id });

export const lockException = (tx: Queryable, merchantId: string, id: string) =>
  paymentExceptions.find(tx, { merchantId, id }, 'for update');

export const updateException = (tx: Queryable, exception: PaymentException) =>
  paymentExceptions.store(tx, exception, [
    'status',
    'linkedIntentId',
    'note',
    'resolvedAt',
    'refundId',
    'postingId',
  ]);

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
