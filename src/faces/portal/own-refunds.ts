import type { Print } from '../../money/invoices/print-invoice.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { findCreditNote } from '../../settlement/refunds/credit-note-queries.ts';
import { printCreditNote } from '../../settlement/refunds/print-credit-note.ts';
import { findRefund, listRefunds } from '../../settlement/refunds/queries.ts';
import type { Refund } from '../../settlement/refunds/refund.ts';
import type { Visitor } from './portal-session.ts';

/** The visitor's refund of this id; anybody else's does not exist. */
export async function findOwnRefund(
  db: Queryable,
  { merchantId, customerId }: Visitor,
  id: string,
): Promise<Refund> {
  const refund = await findRefund(db, { merchantId, id });
  if (refund?.customerId !== customerId) throw new AppError('NOT_FOUND');
  return refund;
}

export async function listOwnRefunds(
  db: Queryable,
  { merchantId, customerId }: Visitor,
  invoiceId: string | undefined,
  range: Range,
): Promise<Refund[]> {
  return listRefunds(db, merchantId, { customerId, invoiceId }, range);
}

export async function printOwnCreditNote(
  db: Queryable,
  { merchantId, customerId }: Visitor,
  id: string,
  print: Omit<Print, 'now'>,
): Promise<{ number: string; bytes: Buffer }> {
  const note = await findCreditNote(db, merchantId, id);
  if (note?.customerId !== customerId) throw new AppError('NOT_FOUND');
  return printCreditNote(db, note, print);
}
