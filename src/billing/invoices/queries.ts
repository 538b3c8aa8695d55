import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { RowOf } from '../../platform/db/table.ts';
import type { Range } from '../../platform/http/list.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type Invoice, invoices, withPeriod } from './invoice.ts';
import type { PayableSession } from './payable.ts';
import { readLines, readTerms } from './stored-lines.ts';

const COLUMNS = `${invoices.columns('v')}, c.external_customer_id`;
const PARTS = 'left join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id';
const FROM = `from invoices v ${PARTS}`;

type Row = RowOf<typeof invoices> & Pick<Invoice, 'externalCustomerId'>;

function toInvoice({ numberText, waivedShares: _byTaxRate, ...row }: Row): Invoice {
  const { periodStart, periodEnd } = row;
  const draft = row.draft === null ? null : readTerms(row.draft);
  const invoice = { ...row, number: numberText, draft, lines: readLines(row.lines) };
  return withPeriod(invoice, { periodStart, periodEnd });
}

/** An invoice as its row has it, but for its place in the sequence of numbers. */
export const toRow = ({ number: numberText, ...invoice }: Invoice) => ({
  ...invoice,
  numberText,
  lines: stringifyJson(invoice.lines),
  draft: invoice.draft && stringifyJson(invoice.draft),
});

/** Any number of new invoices; a draft has no number yet. */
export const insertInvoices = (tx: Queryable, rows: readonly { invoice: Invoice; number: bigint | null }[]) =>
  invoices.insert(
    tx,
    rows.map(({ invoice, number }) => ({ ...toRow(invoice), number })),
  );

export async function findInvoice(db: Queryable, { merchantId, id }: Ref): Promise<Invoice | undefined> {
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

export async function lockInvoice(tx: Queryable, { merchantId, id }: Ref): Promise<Invoice | undefined> {
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
  { merchantId, id }: Ref,
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

/** Stores what may change of an invoice: its status, and the money behind it. Only an open one has a next reminder. */
export const updateInvoice = (tx: Queryable, invoice: Invoice) =>
  invoice.status === 'open'
    ? invoices.store(tx, invoice, CHANGING)
    : invoices.store(tx, { ...invoice, nextStepAt: null }, [...CHANGING, 'nextStepAt']);

const CHANGING = [
  'status',
  'amountPaidCents',
  'waivedCents',
  'txSignature',
  'periodStart',
  'periodEnd',
  'sequence',
  'paidAt',
] as const;

/** Stores what an unpaid invoice is for, and what that costs. */
export const updateLines = (tx: Queryable, invoice: Invoice) =>
  invoices.store(tx, toRow(invoice), [
    'lines',
    'subtotalCents',
    'discount',
    'discountCents',
    'taxCents',
    'taxAddedCents',
    'totalCents',
    'sequence',
  ]);

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

export async function deleteInvoices(tx: Queryable, refs: readonly Ref[]): Promise<void> {
  await tx.query(
    `delete from invoices t using unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
      where t.merchant_id = r.merchant_id and t.id = r.id`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}
