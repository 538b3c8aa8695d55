import { listSessionsById } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { isPayable } from '../../billing/invoices/payable.ts';
import { type Print, printInvoice } from '../../billing/invoices/print-invoice.ts';
import { findInvoice, listInvoices } from '../../billing/invoices/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isOwn, type Visitor } from './portal-session.ts';

/** The visitor's invoice of this id; anybody else's does not exist, and neither does a draft. */
export async function findOwnInvoice(db: Queryable, visitor: Visitor, id: string): Promise<Invoice> {
  const invoice = await findInvoice(db, { merchantId: visitor.merchantId, id });
  if (!invoice || !isOwn(visitor, invoice.customerId) || invoice.status === 'draft')
    throw new AppError('NOT_FOUND');
  return invoice;
}

/** An invoice with the session that is, or was, its way to be paid. */
export interface OwnInvoice extends Invoice {
  /** Absent where account credit paid it all. */
  session: Session | undefined;
  /** URL at which it can be paid now; null if it cannot be, or if its payment is on its way. */
  checkoutUrl: string | null;
}

export async function readOwnInvoice(
  db: Queryable,
  visitor: Visitor,
  id: string,
  now: Date,
): Promise<OwnInvoice> {
  const invoice = await findOwnInvoice(db, visitor, id);
  return (await withSessions(db, visitor, [invoice], now))[0]!;
}

export async function listOwnInvoices(
  db: Queryable,
  visitor: Visitor,
  status: string[] | undefined,
  range: Range,
  now: Date,
): Promise<OwnInvoice[]> {
  const { merchantId, customerIds } = visitor;
  const invoices = await listInvoices(db, merchantId, { customerIds, status, isIssued: true }, range);
  return withSessions(db, visitor, invoices, now);
}

/** Adds sessions to invoices that can still be paid; the others need no lookup. */
async function withSessions(
  db: Queryable,
  { merchantId }: Visitor,
  invoices: readonly Invoice[],
  now: Date,
): Promise<OwnInvoice[]> {
  const ids = invoices
    .filter(({ status }) => status === 'open' || status === 'uncollectible')
    .flatMap(({ checkoutSessionId }) => checkoutSessionId ?? []);
  const sessions = ids.length === 0 ? [] : await listSessionsById(db, merchantId, ids);
  return invoices.map((invoice) => {
    const session = sessions.find(({ id }) => id === invoice.checkoutSessionId);
    const checkoutUrl = session && isPayable(session, invoice, now) ? session.checkoutUrl : null;
    return { ...invoice, session, checkoutUrl };
  });
}

export async function printOwnInvoice(
  db: Queryable,
  visitor: Visitor,
  id: string,
  print: Print,
): Promise<{ number: string; bytes: Buffer }> {
  const { merchantId } = visitor;
  const invoice = await findOwnInvoice(db, visitor, id);
  return printInvoice(db, { merchantId, id: invoice.id }, print);
}
