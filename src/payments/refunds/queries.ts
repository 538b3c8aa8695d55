import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import { type Refund, type RefundStatus, refunds } from './refund.ts';

const COLUMNS = `
  ${refunds.columns('r')},
  (select n.id from credit_notes n where n.merchant_id = r.merchant_id and n.refund_id = r.id) as credit_note_id,
  (select n.number from credit_notes n where n.merchant_id = r.merchant_id and n.refund_id = r.id) as credit_note_number,
  (select case e.status when 'sent' then 'sent' when 'dead' then 'failed' else 'queued' end
     from emails e where e.merchant_id = r.merchant_id and e.refund_id = r.id and e.kind = 'refund_claim') as claim_email`;

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

/** Stores what may change of a refund. */
export const updateRefund = (tx: Queryable, refund: Refund) =>
  refunds.store(tx, refund, [
    'status',
    'amountCents',
    'sentBaseUnits',
    'address',
    'addressSource',
    'addressApprovedAt',
    'effectsDueAt',
    'txSignature',
    'sequence',
    'succeededAt',
    'canceledAt',
    'checkAt',
  ]);

export async function findRefund(db: Queryable, { merchantId, id }: Ref): Promise<Refund | undefined> {
  const [row] = await db.query<Refund>(
    `select ${COLUMNS} from refunds r where r.merchant_id = $1 and r.id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function lockRefund(tx: Queryable, { merchantId, id }: Ref): Promise<Refund | undefined> {
  const [row] = await tx.query<Refund>(
    `select ${COLUMNS} from refunds r where r.merchant_id = $1 and r.id = $2 for update`,
    [merchantId, id],
  );
  return row;
}

/** Always in the same order. */
export async function lockRefunds(tx: Queryable, refs: readonly Ref[]): Promise<Refund[]> {
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

export async function updateClaimToken(tx: Queryable, ref: Ref, tokenHash: string): Promise<void> {
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

export async function listRefundsByRef(db: Queryable, refs: readonly Ref[]): Promise<Refund[]> {
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

export async function listRefundsToExpire(db: Queryable, now: Date, limit: number): Promise<Ref[]> {
  return db.query(
    `select merchant_id, id from refunds
      where status in ('awaiting_address', 'ready') and expires_at <= $1 and ${isOpenMerchant()} and ${notSetAside(REFUNDS_TO_EXPIRE, '$1', { merchantId: 'refunds.merchant_id', id: 'refunds.id' })}
      order by expires_at limit $2`,
    [now, limit],
  );
}

export async function listRefundsWithEffects(db: Queryable, now: Date, limit: number): Promise<Ref[]> {
  return db.query(
    `select merchant_id, id from refunds where effects_due_at <= $1 and ${isOpenMerchant()}
      order by effects_due_at limit $2`,
    [now, limit],
  );
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
