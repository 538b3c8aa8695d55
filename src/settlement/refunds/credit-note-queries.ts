import { withMerged } from '../../accounts/customers/with-merged.ts';
import { readShares } from '../../money/invoices/stored-shares.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Range } from '../../platform/http/list.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { CreditNote } from './credit-note.ts';

const COLUMNS = `
  id, merchant_id, number, refund_id, project_id,
  customer_id, invoice_id, amount_cents,
  shares::text as shares, tax, tax_cents, created_at`;

type Row = Omit<CreditNote, 'shares'> & { shares: string };

function toCreditNote(row: Row): CreditNote {
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

export async function insertCreditNote(tx: Queryable, note: CreditNote): Promise<void> {
  await tx.query(
    `insert into credit_notes (merchant_id, id, number, refund_id, project_id, customer_id, invoice_id, amount_cents, shares,
                               tax, tax_cents, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      note.merchantId,
      note.id,
      note.number,
      note.refundId,
      note.projectId,
      note.customerId,
      note.invoiceId,
      note.amountCents,
      stringifyJson(note.shares),
      note.tax && JSON.stringify(note.tax),
      note.taxCents,
      note.createdAt,
    ],
  );
}

export async function findCreditNote(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<CreditNote | undefined> {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from credit_notes where merchant_id = $1 and id = $2`,
    [merchantId, id],
  );
  return row && toCreditNote(row);
}

/** Lists the earlier credit notes of an invoice. The caller holds the lock of its intent. */
export async function listCredited(
  tx: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<Pick<CreditNote, 'amountCents' | 'shares'>[]> {
  const rows = await tx.query<Pick<Row, 'amountCents' | 'shares'>>(
    `select amount_cents, shares::text as shares from credit_notes
      where merchant_id = $1 and invoice_id = $2 order by id`,
    [merchantId, invoiceId],
  );
  return rows.map((row) => ({ ...row, shares: readShares(row.shares) }));
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
  const rows = await db.query<Row>(
    `select ${COLUMNS} from credit_notes where ${conditions.where} order by id desc limit ${limit}`,
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
