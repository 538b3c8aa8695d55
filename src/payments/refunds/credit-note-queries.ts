import { withMerged } from '../../accounts/customers/with-merged.ts';
import { readShares } from '../../billing/invoices/stored-shares.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Range } from '../../platform/http/list.ts';
import { type CreditNote, type CreditNoteRow, creditNotes } from './credit-note.ts';

function toCreditNote(row: CreditNoteRow): CreditNote {
  return { ...row, shares: readShares(row.shares) };
}

/** The next number of a merchant's credit notes. The counter stays locked until the transaction ends. */
export async function updateCreditNoteNumber(tx: Queryable, merchantId: string): Promise<bigint> {
  const [row] = await tx.query<{ number: bigint }>(
    `update refund_counters set last_credit_note_number = last_credit_note_number + 1 where merchant_id = $1
     returning last_credit_note_number as number`,
    [merchantId],
  );
  return row!.number;
}

export async function findCreditNote(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<CreditNote | undefined> {
  const row = await creditNotes.find(db, { merchantId, id });
  return row && toCreditNote(row);
}

/** Lists the earlier credit notes of an invoice. The caller holds the lock of its intent. */
export async function listCredited(
  tx: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<Pick<CreditNote, 'amountCents' | 'shares'>[]> {
  return (await creditNotes.list(tx, { merchantId, invoiceId }, 'order by id')).map(toCreditNote);
}

export interface CreditNoteFilter {
  projectId?: string | undefined;
  customerId?: string | undefined;
  /** One of these. */
  customerIds?: readonly string[] | undefined;
  invoiceId?: string | undefined;
  refundId?: string | undefined;
}

export async function listCreditNotes(
  db: Queryable,
  merchantId: string,
  asked: CreditNoteFilter,
  range: Range,
): Promise<CreditNote[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions()
    .add('merchant_id = ?', merchantId)
    .within('id', range)
    .add('project_id = ?', filter.projectId)
    .add('customer_id = ?', filter.customerId)
    .add('customer_id = any(?)', filter.customerIds)
    .add('invoice_id = ?', filter.invoiceId)
    .add('refund_id = ?', filter.refundId);
  const limit = conditions.place(range.limit);
  const rows = await db.query<CreditNoteRow>(
    `select ${creditNotes.columns()} from credit_notes where ${conditions.where} order by id desc limit ${limit}`,
    conditions.values,
  );
  return rows.map(toCreditNote);
}

/** The last number of each merchant that has credit notes. */
export async function listLastCreditNotes(db: Queryable): Promise<{ merchantId: string; last: bigint }[]> {
  return db.query(
    `select merchant_id, last_credit_note_number as last from refund_counters
      where last_credit_note_number > 0 and ${isOpenMerchant()} order by merchant_id`,
  );
}
