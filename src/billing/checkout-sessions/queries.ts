import { type ByCustomer, withMerged } from '../../accounts/customers/with-merged.ts';
import { readLines } from '../../money/invoices/stored-lines.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import { type BaseUnits, baseUnitsToCents } from '../../platform/lib/money.ts';
import type { Session } from './session.ts';

const COLUMNS = `
  s.id, s.merchant_id as "merchantId", s.project_id as "projectId", s.mode, s.origin, s.status,
  s.payment_status as "paymentStatus", s.price_id as "priceId", s.amount_cents as "amountCents",
  v.lines::text as "lines", v.discount, v.discount_cents as "discountCents", v.tax_cents as "taxCents",
  s.allow_promotion_codes as "allowPromotionCodes", s.trial_days as "trialDays",
  s.tip_percents as "tipPercents", s.tip_cents as "tipCents", s.credit_amount as "creditAmount", i.received_base_units as "receivedBaseUnits", s.customer_id as "customerId",
  s.external_customer_id as "externalCustomerId", s.customer_email as "customerEmail",
  s.customer_name as "customerName", s.merchant_reference as "merchantReference",
  s.client_reference_id as "clientReferenceId", s.metadata, s.payment_link_id as "paymentLinkId", v.id as "invoiceId",
  s.subscription_id as "subscriptionId",
  s.payment_intent_id as "paymentIntentId", i.session_ordering_key as "orderingKey", s.token, s.checkout_url as "checkoutUrl", s.success_url as "successUrl",
  s.cancel_url as "cancelUrl", s.volume_month::text as "volumeMonth", s.volume_cents as "volumeCents", s.sequence, s.created_at as "createdAt",
  s.expires_at as "expiresAt", s.completed_at as "completedAt"`;
const PARTS = `
  join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
  join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id`;

const FROM = `from checkout_sessions s ${PARTS}`;

type Row = Omit<Session, 'amountReceivedCents' | 'lines'> & { receivedBaseUnits: BaseUnits; lines: string };

function toSession({ receivedBaseUnits, ...row }: Row): Session {
  return {
    ...row,
    amountReceivedCents: baseUnitsToCents(receivedBaseUnits),
    lines: readLines(row.lines),
  };
}

export interface SessionRef {
  merchantId: string;
  id: string;
}

export async function insertSession(tx: Queryable, session: Session): Promise<void> {
  await tx.query(
    `insert into checkout_sessions (merchant_id, id, project_id, mode, origin, price_id, amount_cents, credit_amount,
       customer_id, external_customer_id, customer_email, customer_name, merchant_reference, client_reference_id,
       payment_link_id, payment_intent_id, token, checkout_url, success_url, cancel_url, volume_month, sequence,
       created_at, expires_at, subscription_id, metadata, allow_promotion_codes, trial_days, tip_percents, tip_cents)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
             $26, $27, $28, $29, $30)`,
    [
      session.merchantId,
      session.id,
      session.projectId,
      session.mode,
      session.origin,
      session.priceId,
      session.amountCents,
      session.creditAmount,
      session.customerId,
      session.externalCustomerId,
      session.customerEmail,
      session.customerName,
      session.merchantReference,
      session.clientReferenceId,
      session.paymentLinkId,
      session.paymentIntentId,
      session.token,
      session.checkoutUrl,
      session.successUrl,
      session.cancelUrl,
      session.volumeMonth,
      session.sequence,
      session.createdAt,
      session.expiresAt,
      session.subscriptionId,
      session.metadata,
      session.allowPromotionCodes,
      session.trialDays,
      session.tipPercents,
      session.tipCents,
    ],
  );
}

export async function findSession(
  db: Queryable,
  { merchantId, id }: SessionRef,
): Promise<Session | undefined> {
  const [row] = await db.query<Row>(`select ${COLUMNS} ${FROM} where s.merchant_id = $1 and s.id = $2`, [
    merchantId,
    id,
  ]);
  return row && toSession(row);
}

/** Lists the sessions with these ids; unknown ids are skipped. */
export async function listSessionsById(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Session[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS} ${FROM} where s.merchant_id = $1 and s.id = any($2::uuid[])`,
    [merchantId, ids],
  );
  return rows.map(toSession);
}

export async function findProjectOfIntent(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    'select project_id as id from checkout_sessions where merchant_id = $1 and payment_intent_id = $2',
    [merchantId, intentId],
  );
  return row?.id ?? null;
}

/** Locks a session for changes that no payment makes; the intent need not be locked. */
export async function lockSession(
  tx: Queryable,
  { merchantId, id }: SessionRef,
): Promise<Session | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${FROM} where s.merchant_id = $1 and s.id = $2 for no key update of s`,
    [merchantId, id],
  );
  return row && toSession(row);
}

/** The intent is locked first, to avoid deadlocks with callers that decide about both. */
export async function lockSessionOfIntent(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<Session | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${FROM}
      where s.merchant_id = $1 and s.payment_intent_id = $2 for no key update of s`,
    [merchantId, intentId],
  );
  return row && toSession(row);
}

/** Stores what may change of a session. */
export async function updateSession(tx: Queryable, session: Session): Promise<void> {
  await tx.query(
    `update checkout_sessions
        set status = $3, payment_status = $4, volume_month = $5, sequence = $6, completed_at = $7,
            volume_cents = $8, amount_cents = $9, tip_cents = $10
      where merchant_id = $1 and id = $2`,
    [
      session.merchantId,
      session.id,
      session.status,
      session.paymentStatus,
      session.volumeMonth,
      session.sequence,
      session.completedAt,
      session.volumeCents,
      session.amountCents,
      session.tipCents,
    ],
  );
}

export async function updateMetadata(
  tx: Queryable,
  { merchantId, id }: SessionRef,
  metadata: Metadata,
): Promise<void> {
  await tx.query('update checkout_sessions set metadata = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    metadata,
  ]);
}

/** The buyer, once known. */
export async function updateBuyer(tx: Queryable, session: Session): Promise<void> {
  await tx.query(
    'update checkout_sessions set customer_id = $3, subscription_id = $4 where merchant_id = $1 and id = $2',
    [session.merchantId, session.id, session.customerId, session.subscriptionId],
  );
}

export interface SessionFilter extends ByCustomer {
  projectId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  paymentLinkId?: string | undefined;
  paymentIntentId?: string | undefined;
  status?: string[] | undefined;
  paymentStatus?: string[] | undefined;
  mode?: string[] | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
  metadata?: string[] | undefined;
}

export async function listSessions(
  db: Queryable,
  merchantId: string,
  asked: SessionFilter,
  range: Range,
): Promise<Session[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions()
    .add('s.merchant_id = ?', merchantId)
    .within('s.id', range)
    .add('s.project_id = ?', filter.projectId)
    .add('s.customer_id = ?', filter.customerId)
    .add('s.customer_id = any(?)', filter.customerIds)
    .add('s.subscription_id = ?', filter.subscriptionId)
    .add('s.external_customer_id = ?', filter.externalCustomerId)
    .add('s.payment_link_id = ?', filter.paymentLinkId)
    .add('s.payment_intent_id = ?', filter.paymentIntentId)
    .add('s.payment_status = any(?)', filter.paymentStatus)
    .add('s.mode = any(?)', filter.mode)
    .add('s.merchant_reference = ?', filter.merchantReference)
    .add('s.client_reference_id = ?', filter.clientReferenceId);
  // Said with constants, so that the planner may use the small index of those that are under way.
  if (filter.paymentStatus?.every((status) => status === 'processing' || status === 'underpaid')) {
    conditions.addFact(`s.payment_status in ('processing', 'underpaid')`);
  }
  const limit = conditions.limit(range.limit);
  conditions.addMetadata(
    'checkout_sessions',
    's',
    { merchantId, ...range, metadata: filter.metadata },
    limit,
  );
  conditions.addNewestOf('checkout_sessions', 's', 'status', filter.status, limit);
  const rows = await db.query<Row>(
    // The page is selected first: in one query with its joins, the planner may join whole tables for it.
    `select ${COLUMNS}
       from ${conditions.newest('checkout_sessions', 's', limit)} ${PARTS} order by s.id desc`,
    conditions.values,
  );
  return rows.map(toSession);
}

/** The intent of an open invoice. */
export async function findIntentOfInvoice(
  db: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ intentId: string }>(
    `select s.payment_intent_id as "intentId" from invoices v
       join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
      where v.merchant_id = $1 and v.id = $2`,
    [merchantId, invoiceId],
  );
  return row?.intentId;
}

/** The intent of a subscription's first session. */
export async function findCreationIntent(
  db: Queryable,
  merchantId: string,
  subscriptionId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ intentId: string }>(
    `select s.payment_intent_id as "intentId" from checkout_sessions s
       join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
      where s.merchant_id = $1 and s.subscription_id = $2 and v.billing_reason = 'subscription_create'`,
    [merchantId, subscriptionId],
  );
  return row?.intentId;
}

/** Finds the payout address for a project's new sessions. */
export async function findDestination(
  db: Queryable,
  merchantId: string,
  projectId: string,
): Promise<{ destination: string | null } | undefined> {
  const [row] = await db.query<{ destination: string | null }>(
    `select coalesce(p.payout_address, m.payout_address) as destination
       from projects p join merchants m on m.id = p.merchant_id where p.merchant_id = $1 and p.id = $2`,
    [merchantId, projectId],
  );
  return row;
}

export async function deleteSessions(
  tx: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<void> {
  await tx.query(
    `delete from checkout_sessions t using unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
      where t.merchant_id = r.merchant_id and t.id = r.id`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}
