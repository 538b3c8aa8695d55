import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Range } from '../../platform/http/list.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import type { Refund, RefundStatus } from './refund.ts';

const COLUMNS = `
  r.id, r.merchant_id, r.number, r.project_id, r.customer_id,
  r.payment_intent_id, r.invoice_id, r.exception_id, r.status,
  r.amount_cents, r.sent_base_units, r.reason, r.note, r.metadata, r.address,
  r.address_source, r.address_approved_at, r.payer_address,
  r.reference_address, r.notify_customer, r.revoke_credits,
  r.cancel_subscription, r.effects_due_at, r.tx_signature,
  (select n.id from credit_notes n where n.merchant_id = r.merchant_id and n.refund_id = r.id) as credit_note_id,
  (select n.number from credit_notes n where n.merchant_id = r.merchant_id and n.refund_id = r.id) as credit_note_number,
  (select case e.status when 'sent' then 'sent' when 'dead' then 'failed' else 'queued' end
     from emails e where e.merchant_id = r.merchant_id and e.refund_id = r.id and e.kind = 'refund_claim') as claim_email,
  r.sequence, r.prepared_at, r.prepared_until, r.checked_signature, r.created_at,
  r.expires_at, r.succeeded_at, r.canceled_at`;

/** The next number of a merchant's refunds. The counter stays locked until the transaction ends. */
export async function insertRefundNumber(tx: Queryable, merchantId: string): Promise<bigint> {
  const [row] = await tx.query<{ number: bigint }>(
    `insert into refund_counters as c (merchant_id, last_refund_number) values ($1, 1)
     on conflict (merchant_id) do update set last_refund_number = c.last_refund_number + 1
     returning last_refund_number as number`,
    [merchantId],
  );
  return row!.number;
}

export async function insertRefund(tx: Queryable, refund: Refund): Promise<void> {
  await tx.query(
    `insert into refunds (merchant_id, id, number, project_id, customer_id, payment_intent_id, invoice_id, exception_id,
                          status, amount_cents, reason, note, address, address_source, address_approved_at,
                          payer_address, reference_address, notify_customer, revoke_credits, cancel_subscription,
                          sequence, created_at, expires_at, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
    [
      refund.merchantId,
      refund.id,
      refund.number,
      refund.projectId,
      refund.customerId,
      refund.paymentIntentId,
      refund.invoiceId,
      refund.exceptionId,
      refund.status,
      refund.amountCents,
      refund.reason,
      refund.note,
      refund.address,
      refund.addressSource,
      refund.addressApprovedAt,
      refund.payerAddress,
      refund.referenceAddress,
      refund.notifyCustomer,
      refund.revokeCredits,
      refund.cancelSubscription,
      refund.sequence,
      refund.createdAt,
      refund.expiresAt,
      refund.metadata,
    ],
  );
}

export async function updateRefund(tx: Queryable, refund: Refund, checkAt: Date | null): Promise<void> {
  await tx.query(
    `update refunds
        set status = $3, amount_cents = $4, sent_base_units = $5, address = $6, address_source = $7,
            address_approved_at = $8, effects_due_at = $9, tx_signature = $10, sequence = $11, succeeded_at = $12,
            canceled_at = $13, check_at = $14
      where merchant_id = $1 and id = $2`,
    [
      refund.merchantId,
      refund.id,
      refund.status,
      refund.amountCents,
      refund.sentBaseUnits.toString(),
      refund.address,
      refund.addressSource,
      refund.addressApprovedAt,
      refund.effectsDueAt,
      refund.txSignature,
      refund.sequence,
      refund.succeededAt,
      refund.canceledAt,
      checkAt,
    ],
  );
}

export interface RefundRef {
  merchantId: string;
  id: string;
}

export async function findRefund(db: Queryable, { merchantId, id }: RefundRef): Promise<Refund | undefined> {
  const [row] = await db.query<Refund>(
    `select ${COLUMNS} from refunds r where r.merchant_id = $1 and r.id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function lockRefund(tx: Queryable, { merchantId, id }: RefundRef): Promise<Refund | undefined> {
  const [row] = await tx.query<Refund>(
    `select ${COLUMNS} from refunds r where r.merchant_id = $1 and r.id = $2 for update`,
    [merchantId, id],
  );
  return row;
}

/** Always in the same order. */
export async function lockRefunds(tx: Queryable, refs: readonly RefundRef[]): Promise<Refund[]> {
  return tx.query<Refund>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) as asked(merchant_id, id)
       join refunds r on r.merchant_id = asked.merchant_id and r.id = asked.id
      order by r.merchant_id, r.id for update of r`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}

export async function findRefundByClaim(db: Queryable, tokenHash: string): Promise<Refund | undefined> {
  const [row] = await db.query<Refund>(
    `select ${COLUMNS} from refunds r where r.claim_token_hash = decode($1, 'hex')`,
    [tokenHash],
  );
  return row;
}

export async function updateClaimToken(tx: Queryable, ref: RefundRef, tokenHash: string): Promise<void> {
  await tx.query(
    `update refunds set claim_token_hash = decode($3, 'hex') where merchant_id = $1 and id = $2`,
    [ref.merchantId, ref.id, tokenHash],
  );
}

export interface RefundFilter {
  status?: RefundStatus[] | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  /** Matches refunds of any of these customers. */
  customerIds?: readonly string[] | undefined;
  paymentIntentId?: string | undefined;
  invoiceId?: string | undefined;
  exceptionId?: string | undefined;
  txSignature?: string | undefined;
  metadata?: string[] | undefined;
}

export async function listRefunds(
  db: Queryable,
  merchantId: string,
  asked: RefundFilter,
  range: Range,
): Promise<Refund[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions()
    .add('r.merchant_id = ?', merchantId)
    .within('r.id', range)
    .add('r.project_id = ?', filter.projectId)
    .add('r.customer_id = ?', filter.customerId)
    .add('r.customer_id = any(?)', filter.customerIds)
    .add('r.payment_intent_id = ?', filter.paymentIntentId)
    .add('r.invoice_id = ?', filter.invoiceId)
    .add('r.exception_id = ?', filter.exceptionId)
    .add('r.tx_signature = ?', filter.txSignature);
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('refunds', 'r', { merchantId, ...range, metadata: filter.metadata }, limit);
  conditions.addNewestOf('refunds', 'r', 'status', filter.status, limit);
  return db.query<Refund>(
    `select ${COLUMNS} from ${conditions.newest('refunds', 'r', limit)} order by r.id desc`,
    conditions.values,
  );
}

export interface NamedRefund {
  id: string;
  address: string | null;
  referenceAddress: string;
}

/** Lists the merchant's refunds that these accounts refer to, with what is needed to share out a transaction's money. */
export async function listNamedRefunds(
  db: Queryable,
  merchantId: string,
  accounts: readonly string[],
): Promise<NamedRefund[]> {
  return db.query(
    `select id, address, reference_address from refunds
      where merchant_id = $1 and reference_address = any($2) order by id`,
    [merchantId, accounts],
  );
}

/** The same, whole. */
export async function listRefundsByReference(
  db: Queryable,
  merchantId: string,
  accounts: readonly string[],
): Promise<Refund[]> {
  return db.query<Refund>(
    `select ${COLUMNS} from refunds r where r.merchant_id = $1 and r.reference_address = any($2) order by r.id`,
    [merchantId, accounts],
  );
}

/** True if an address marks a payment or a refund of the merchant on the chain. No private key exists for it. */
export async function isReference(db: Queryable, merchantId: string, address: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from refunds where merchant_id = $1 and reference_address = $2
     union all select 1 from payment_intents where merchant_id = $1 and reference_address = $2`,
    [merchantId, address],
  );
  return rows.length > 0;
}

export async function listRefundsByRef(db: Queryable, refs: readonly RefundRef[]): Promise<Refund[]> {
  return db.query<Refund>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) as asked(merchant_id, id)
       join refunds r on r.merchant_id = asked.merchant_id and r.id = asked.id`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}

export async function listRefundsById(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Refund[]> {
  return db.query<Refund>(`select ${COLUMNS} from refunds r where r.merchant_id = $1 and r.id = any($2)`, [
    merchantId,
    ids,
  ]);
}

export const REFUNDS_TO_EXPIRE = 'expire refunds';

export async function listRefundsToExpire(db: Queryable, now: Date, limit: number): Promise<RefundRef[]> {
  return db.query(
    `select merchant_id, id from refunds
      where status in ('awaiting_address', 'ready') and expires_at <= $1 and ${isOpenMerchant()} and ${notSetAside(REFUNDS_TO_EXPIRE, '$1', { merchantId: 'refunds.merchant_id', id: 'refunds.id' })}
      order by expires_at limit $2`,
    [now, limit],
  );
}

export async function listRefundsWithEffects(db: Queryable, now: Date, limit: number): Promise<RefundRef[]> {
  return db.query(
    `select merchant_id, id from refunds where effects_due_at <= $1 and ${isOpenMerchant()}
      order by effects_due_at limit $2`,
    [now, limit],
  );
}

/** A failed effect is due again later; null when all of them have been applied. */
export async function updateEffectsDue(tx: Queryable, ref: RefundRef, dueAt: Date | null): Promise<void> {
  await tx.query('update refunds set effects_due_at = $3 where merchant_id = $1 and id = $2', [
    ref.merchantId,
    ref.id,
    dueAt,
  ]);
}

/** Another refund of the exception that was not given up. */
export async function findOpenRefundOfException(
  tx: Queryable,
  merchantId: string,
  exceptionId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select id from refunds
      where merchant_id = $1 and exception_id = $2 and status not in ('canceled', 'expired') order by id desc limit 1`,
    [merchantId, exceptionId],
  );
  return row?.id ?? null;
}
