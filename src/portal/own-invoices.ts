import type { Queryable } from '../db/database.ts';
import type { Range } from '../http/list.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { printInvoice } from '../invoices/print-invoice.ts';
import { findInvoice, listInvoices } from '../invoices/read-invoices.ts';
import { AppError } from '../lib/errors.ts';
import type { InvoiceDocument } from '../pdf/invoice-document.ts';
import type { Visitor } from './portal-session.ts';

/** The visitor's invoice of this id; anybody else's does not exist. */
export async function findOwnInvoice(
  db: Queryable,
  { merchantId, customerId }: Visitor,
  id: string,
): Promise<Invoice> {
  const invoice = await findInvoice(db, { merchantId, id });
  if (invoice?.customerId !== customerId) throw new AppError('NOT_FOUND');
  return invoice;
}

export function listOwnInvoices(
  db: Queryable,
  { merchantId, customerId }: Visitor,
  status: string[] | undefined,
  range: Range,
): Promise<Invoice[]> {
  return listInvoices(db, merchantId, { customerId, status }, range);
}

export async function printOwnInvoice(
  db: Queryable,
  visitor: Visitor,
  id: string,
  network: InvoiceDocument['network'],
): Promise<{ number: string; bytes: Buffer }> {
  const { merchantId } = visitor;
  const invoice = await findOwnInvoice(db, visitor, id);
  return printInvoice(db, { merchantId, id: invoice.id }, network);
}
