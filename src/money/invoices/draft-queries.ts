import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import type { Invoice } from './invoice.ts';
import type { InvoiceRef } from './queries.ts';

/** Stores what may change of a draft, which is everything but whose it is. */
export async function updateDraft(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    `update invoices set ${PRICED}, draft = $17, customer_id = $16
      where merchant_id = $1 and id = $2 and status = 'draft'`,
    [...pricedValues(invoice), invoice.customerId, stringifyJson(invoice.draft)],
  );
}

/** Stores a draft as the open invoice that it becomes. */
export async function updateOpened(tx: Queryable, invoice: Invoice, number: bigint): Promise<void> {
  await tx.query(
    `update invoices set ${PRICED}, draft = null, status = $16, number = $17, number_text = $18,
            checkout_session_id = $19, checkout_url = $20, opened_at = $21, sequence = $22, next_step_at = $23,
            steps_done = $24
      where merchant_id = $1 and id = $2 and status = 'draft'`,
    [
      ...pricedValues(invoice),
      invoice.status,
      number,
      invoice.number,
      invoice.checkoutSessionId,
      invoice.checkoutUrl,
      invoice.openedAt,
      invoice.sequence,
      invoice.nextStepAt,
      invoice.stepsDone,
    ],
  );
}

const PRICED = `lines = $3, subtotal_cents = $4, discount = $5, discount_cents = $6, tax = $7, tax_cents = $8,
  tax_added_cents = $9, total_cents = $10, due_at = $11, memo = $12, merchant_reference = $13, metadata = $14,
  client_reference_id = $15`;

function pricedValues(invoice: Invoice): unknown[] {
  return [
    invoice.merchantId,
    invoice.id,
    stringifyJson(invoice.lines),
    invoice.subtotalCents,
    invoice.discount && JSON.stringify(invoice.discount),
    invoice.discountCents,
    invoice.tax && JSON.stringify(invoice.tax),
    invoice.taxCents,
    invoice.taxAddedCents,
    invoice.totalCents,
    invoice.dueAt,
    invoice.memo,
    invoice.merchantReference,
    invoice.metadata,
    invoice.clientReferenceId,
  ];
}

export async function deleteDraft(tx: Queryable, { merchantId, id }: InvoiceRef): Promise<void> {
  await tx.query(`delete from invoices where merchant_id = $1 and id = $2 and status = 'draft'`, [
    merchantId,
    id,
  ]);
}

/** Stores which reminder comes next, and when. */
export async function updateSteps(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    'update invoices set next_step_at = $3, steps_done = $4 where merchant_id = $1 and id = $2',
    [invoice.merchantId, invoice.id, invoice.nextStepAt, invoice.stepsDone],
  );
}

export async function updateSent(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query('update invoices set sent_at = $3, times_sent = $4 where merchant_id = $1 and id = $2', [
    invoice.merchantId,
    invoice.id,
    invoice.sentAt,
    invoice.timesSent,
  ]);
}

/** Invoices whose next reminder is due, the longest due first. */
export const REMINDERS = 'remind of invoices';

export async function listDueSteps(db: Queryable, now: Date, limit: number): Promise<InvoiceRef[]> {
  return db.query<InvoiceRef>(
    `select merchant_id, id from invoices where next_step_at <= $1 and ${isOpenMerchant()}
        and ${notSetAside(REMINDERS, '$1', { merchantId: 'invoices.merchant_id', id: 'invoices.id' })}
      order by next_step_at limit $2`,
    [now, limit],
  );
}
