import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import { type Invoice, withPeriod } from './invoice.ts';
import type { PayableSession } from './payable.ts';
import { readLines, readTerms } from './stored-lines.ts';

/** Lines and drafts travel as text: the driver's own JSON reader would round large amounts. */
const COLUMNS = `
  v.id, v.merchant_id, v.project_id, v.number_text as number,
  v.customer_id, c.external_customer_id,
  v.checkout_session_id, v.subscription_id, v.status, v.billing_reason,
  v.lines::text as lines, v.subtotal_cents, v.discount,
  v.discount_cents, v.tax, v.tax_cents,
  v.tax_added_cents, v.credit_applied_cents,
  v.total_cents, v.amount_paid_cents, v.waived_cents,
  v.reminded_at, v.times_reminded, v.refunded_cents, v.due_at,
  v.period_start, v.period_end, v.merchant_reference,
  v.client_reference_id, v.metadata, v.tx_signature, v.sequence,
  v.created_at, v.paid_at, v.memo, v.draft::text as draft, v.opened_at,
  v.checkout_url, v.sent_at, v.times_sent,
  v.next_step_at, v.steps_done`;
const PARTS = 'left join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id';
const FROM = `from invoices v ${PARTS}`;

type Row = Omit<Invoice, 'lines' | 'draft'> & { lines: string; draft: string | null };

function toInvoice(row: Row): Invoice {
  const { periodStart, periodEnd } = row;
  const draft = row.draft === null ? null : readTerms(row.draft);
  return withPeriod({ ...row, draft, lines: readLines(row.lines) }, { periodStart, periodEnd });
}

/** Any number of new invoices; a draft has no number yet. */
export async function insertInvoices(
  tx: Queryable,
  rows: readonly { invoice: Invoice; number: bigint | null }[],
): Promise<void> {
  await tx.query(
    `insert into invoices (merchant_id, id, project_id, number, number_text, customer_id, checkout_session_id, status,
                           billing_reason, lines, subtotal_cents, credit_applied_cents, total_cents, due_at,
                           period_start, period_end, merchant_reference, client_reference_id, sequence, created_at, paid_at,
                           subscription_id, metadata, discount, discount_cents, tax, tax_cents, tax_added_cents, memo, draft)
     select "merchantId", id, "projectId", "serial", number, "customerId", "checkoutSessionId", status, "billingReason",
            lines, "subtotalCents", "creditAppliedCents", "totalCents", "dueAt", "periodStart", "periodEnd",
            "merchantReference", "clientReferenceId", sequence, "createdAt", "paidAt", "subscriptionId", metadata,
            discount, "discountCents", tax, "taxCents", "taxAddedCents", memo, draft
       from json_to_recordset($1::json) as v(
              "merchantId" uuid, id uuid, "projectId" uuid, "serial" bigint, number text, "customerId" uuid,
              "checkoutSessionId" uuid, status text, "billingReason" text, lines jsonb, "subtotalCents" bigint,
              "creditAppliedCents" bigint, "totalCents" bigint, "dueAt" timestamptz, "periodStart" timestamptz,
              "periodEnd" timestamptz, "merchantReference" text, "clientReferenceId" text, sequence integer,
              "createdAt" timestamptz, "paidAt" timestamptz, "subscriptionId" uuid, metadata jsonb, discount jsonb,
              "discountCents" bigint, tax jsonb, "taxCents" bigint, "taxAddedCents" bigint, memo text, draft jsonb)`,
    [stringifyJson(rows.map(({ invoice, number }) => ({ ...invoice, serial: number })))],
  );
}

export interface InvoiceRef {
  merchantId: string;
  id: string;
}

export async function findInvoice(
  db: Queryable,
  { merchantId, id }: InvoiceRef,
): Promise<Invoice | undefined> {
  const [row] = await db.query<Row>(`select ${COLUMNS} ${FROM} where v.merchant_id = $1 and v.id = $2`, [
    merchantId,
    id,
  ]);
  return row && toInvoice(row);
}

/** Invoices that exist among these ids. */
export async function listInvoicesById(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Invoice[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS} ${FROM} where v.merchant_id = $1 and v.id = any($2::uuid[])`,
    [merchantId, ids],
  );
  return rows.map(toInvoice);
}

export async function lockInvoice(
  tx: Queryable,
  { merchantId, id }: InvoiceRef,
): Promise<Invoice | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${FROM} where v.merchant_id = $1 and v.id = $2 for no key update of v`,
    [merchantId, id],
  );
  return row && toInvoice(row);
}

/** How an invoice is, or was, to be paid. */
export interface PaymentWay extends PayableSession {
  /** Address the money goes to, or went to. */
  destination: string;
  /** Null once a part payment goes back: nothing more can be paid then. */
  checkoutUrl: string | null;
}

export async function findPaymentWay(
  db: Queryable,
  { merchantId, id }: InvoiceRef,
): Promise<PaymentWay | undefined> {
  const [row] = await db.query<PaymentWay>(
    `select i.destination_address as destination, s.status,
            case when not i.is_refunding then s.checkout_url end as checkout_url,
            s.payment_status, s.expires_at from invoices v
       join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
      where v.merchant_id = $1 and v.id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function lockInvoiceOfSession(
  tx: Queryable,
  merchantId: string,
  sessionId: string,
): Promise<Invoice | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${FROM}
      where v.merchant_id = $1 and v.checkout_session_id = $2 for no key update of v`,
    [merchantId, sessionId],
  );
  return row && toInvoice(row);
}

/** Stores what may change of an invoice: its status, and the money behind it. */
export async function updateInvoice(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    `update invoices set status = $3, amount_paid_cents = $4, tx_signature = $5, sequence = $6, paid_at = $7,
            period_start = $8, period_end = $9, waived_cents = $10, next_step_at = case when $3 = 'open' then next_step_at end
      where merchant_id = $1 and id = $2`,
    [
      invoice.merchantId,
      invoice.id,
      invoice.status,
      invoice.amountPaidCents.toString(),
      invoice.txSignature,
      invoice.sequence,
      invoice.paidAt,
      invoice.periodStart,
      invoice.periodEnd,
      invoice.waivedCents,
    ],
  );
}

export async function updateMetadata(
  tx: Queryable,
  { merchantId, id }: InvoiceRef,
  metadata: Metadata,
): Promise<void> {
  await tx.query('update invoices set metadata = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    metadata,
  ]);
}

/** Stores what an unpaid invoice is for, and what that costs. */
export async function updateLines(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    `update invoices set lines = $3, subtotal_cents = $4, discount = $5, discount_cents = $6, total_cents = $7,
            tax_cents = $8, tax_added_cents = $9, sequence = $10
      where merchant_id = $1 and id = $2`,
    [
      invoice.merchantId,
      invoice.id,
      stringifyJson(invoice.lines),
      invoice.subtotalCents,
      invoice.discount && JSON.stringify(invoice.discount),
      invoice.discountCents,
      invoice.totalCents,
      invoice.taxCents,
      invoice.taxAddedCents,
      invoice.sequence,
    ],
  );
}

/** Stores what has been sent back, and that there is one more event of it. */
export async function updateRefunded(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    'update invoices set refunded_cents = $3, sequence = $4 where merchant_id = $1 and id = $2',
    [invoice.merchantId, invoice.id, invoice.refundedCents.toString(), invoice.sequence],
  );
}

/** Numbers a drafted invoice, and names its buyer. */
export async function updateNumber(tx: Queryable, invoice: Invoice, number: bigint): Promise<void> {
  await tx.query(
    `update invoices set number = $3, number_text = $4, customer_id = $5, subscription_id = $6, sequence = $7
      where merchant_id = $1 and id = $2`,
    [
      invoice.merchantId,
      invoice.id,
      number,
      invoice.number,
      invoice.customerId,
      invoice.subscriptionId,
      invoice.sequence,
    ],
  );
}

export interface InvoiceFilter {
  projectId?: string | undefined;
  customerId?: string | undefined;
  /** Invoices of any of these customers. */
  customerIds?: readonly string[] | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  status?: string[] | undefined;
  number?: string | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
  metadata?: string[] | undefined;
  /** Without drafts. */
  isIssued?: boolean | undefined;
  /** Unpaid past their due date at this time. */
  overdueAt?: Date | undefined;
}

export async function listInvoices(
  db: Queryable,
  merchantId: string,
  asked: InvoiceFilter,
  range: Range,
): Promise<Invoice[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions()
    .add('v.merchant_id = ?', merchantId)
    .within('v.id', range)
    .add('v.project_id = ?', filter.projectId)
    .add('v.customer_id = ?', filter.customerId)
    .add('v.customer_id = any(?)', filter.customerIds)
    .add('v.subscription_id = ?', filter.subscriptionId)
    .add(
      'v.customer_id in (select id from customers where merchant_id = $1 and external_customer_id = ?)',
      filter.externalCustomerId,
    )
    .add('lower(v.number_text) collate "C" = lower(?)', filter.number)
    .add('v.merchant_reference = ?', filter.merchantReference)
    .add('v.client_reference_id = ?', filter.clientReferenceId)
    .add('v.due_at <= ?', filter.overdueAt);
  if (filter.isIssued) conditions.addFact(`v.status <> 'draft'`);
  if (filter.overdueAt) conditions.addFact(`v.status = 'open' and v.number is not null`);
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('invoices', 'v', { merchantId, ...range, metadata: filter.metadata }, limit);
  conditions.addNewestOf('invoices', 'v', 'status', filter.status, limit);
  const rows = await db.query<Row>(
    `select ${COLUMNS}
       from ${conditions.newest('invoices', 'v', limit)} ${PARTS} order by v.id desc`,
    conditions.values,
  );
  return rows.map(toInvoice);
}

export async function deleteInvoices(
  tx: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<void> {
  await tx.query(
    `delete from invoices t using unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
      where t.merchant_id = r.merchant_id and t.id = r.id`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}
