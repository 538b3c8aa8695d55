import { type ByCustomer, withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { type BaseUnits, baseUnitsToCents } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { readLines } from '../invoices/stored-lines.ts';
import { checkoutSessions, type Session } from './session.ts';

const COLUMNS = `${checkoutSessions.columns('s')}, v.id as invoice_id, v.lines::text as lines, v.discount,
  v.discount_cents, v.tax_cents, i.received_base_units, i.session_ordering_key as ordering_key`;
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

export async function findSession(db: Queryable, { merchantId, id }: Ref): Promise<Session | undefined> {
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
export async function lockSession(tx: Queryable, { merchantId, id }: Ref): Promise<Session | undefined> {
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
export const updateSession = (tx: Queryable, session: Session) =>
  checkoutSessions.store(tx, session, [
    'status',
    'paymentStatus',
    'volumeMonth',
    'volumeCents',
    'sequence',
    'completedAt',
    'amountCents',
    'tipCents',
  ]);

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
    `select s.payment_intent_id as intent_id from invoices v
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
    `select s.payment_intent_id as intent_id from checkout_sessions s
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

export async function deleteSessions(tx: Queryable, refs: readonly Ref[]): Promise<void> {
  await tx.query(
    `delete from checkout_sessions t using unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
      where t.merchant_id = r.merchant_id and t.id = r.id`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}
