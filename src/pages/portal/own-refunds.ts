import type { Print } from '../../billing/invoices/print-invoice.ts';
import { findCreditNote } from '../../payments/refunds/credit-note-queries.ts';
import { printCreditNote } from '../../payments/refunds/print-credit-note.ts';
import { findRefund, listRefunds } from '../../payments/refunds/queries.ts';
import type { Refund } from '../../payments/refunds/refund.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isOwn, type Visitor } from './portal-session.ts';

/** The visitor's refund of this id; anybody else's does not exist. */
export async function findOwnRefund(db: Queryable, visitor: Visitor, id: string): Promise<Refund> {
  const refund = await findRefund(db, { merchantId: visitor.merchantId, id });
  if (!refund || !isOwn(visitor, refund.customerId)) throw new AppError('NOT_FOUND');
  return refund;
}

export async function listOwnRefunds(
  db: Queryable,
  { merchantId, customerIds }: Visitor,
  invoiceId: string | undefined,
  range: Range,
): Promise<Refund[]> {
  return listRefunds(db, merchantId, { customerIds, invoiceId }, range);
}

export async function printOwnCreditNote(
  db: Queryable,
  visitor: Visitor,
  id: string,
  print: Omit<Print, 'now'>,
): Promise<{ number: string; bytes: Buffer }> {
  const note = await findCreditNote(db, visitor.merchantId, id);
  if (!note || !isOwn(visitor, note.customerId)) throw new AppError('NOT_FOUND');
  return printCreditNote(db, note, print);
}
