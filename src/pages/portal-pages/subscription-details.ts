import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { findSession } from '../../billing/checkout-sessions/queries.ts';
import type { PaymentStatus, Session } from '../../billing/checkout-sessions/session.ts';
import { amountDueCents, type Invoice } from '../../billing/invoices/invoice.ts';
import { isPayable, payableUntil } from '../../billing/invoices/payable.ts';
import { findInvoice, listInvoices } from '../../billing/invoices/queries.ts';
import { nextPeriodCents } from '../../billing/renewals/next-period-cents.ts';
import { presentSubscription } from '../../billing/subscriptions/present.ts';
import type { Plan, Subscription } from '../../billing/subscriptions/subscription.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Range, readPage, toRange } from '../../platform/http/list.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { listOwnSubscriptions } from '../portal/own-subscriptions.ts';
import type { Visitor } from '../portal/portal-session.ts';
import type { PlannedSubscription } from '../portal/present.ts';

/** An amount due on a subscription, and where it is paid. */
export interface Asked {
  kind: 'begin' | 'renew' | 'overdue' | 'return' | 'change';
  /** Cents still missing, counting only money that has finally arrived. */
  amountCents: bigint;
  totalCents: bigint;
  /** State of its payment so far. */
  payment: PaymentStatus;
  /** Due date, past or future. */
  dueAt: Date | null;
  payUrl: string;
  /** False after its deadline, until it is closed: there is nothing to do but wait. */
  isPayable: boolean;
  /** Time until which it can be paid at all. */
  payableUntil: Date;
}

export interface SubscriptionDetails extends PlannedSubscription {
  /** A renewal and a plan change can both be open. */
  asked: Asked[];
  /** Cost of the next period, with its discount and tax. */
  nextCents: Cents;
}

/** A page of the visitor's subscriptions, each with what it asks of them. */
export async function readSubscriptions(
  db: Queryable,
  visitor: Visitor,
  cursor: string | undefined,
  now: Date,
) {
  const range = toRange({ limit: 20, ...(cursor !== undefined && { cursor }) });
  const page = await readPage(range, (wanted: Range) => listOwnSubscriptions(db, visitor, wanted));
  const subscriptions = await Promise.all(page.data.map((planned) => withAsked(db, planned, now)));
  return { subscriptions, nextCursor: page.nextCursor };
}

export async function withAsked(
  db: Queryable,
  planned: PlannedSubscription,
  now: Date,
): Promise<SubscriptionDetails> {
  const { subscription, plan, nextPlan } = planned;
  const asked = await listAsked(db, subscription, now);
  const nextCents = await nextPeriodCents(db, subscription, nextPlanOf(planned));
  return { subscription, plan, nextPlan, asked, nextCents };
}

/** The plan of the next period. A change that is awaiting payment is not agreed yet. */
export function nextPlanOf({ subscription, plan, nextPlan }: PlannedSubscription): Plan<CatalogPrice> {
  const { quantity, pendingChange } = subscription;
  if (!nextPlan || pendingChange) return { price: plan, quantity };
  return { price: nextPlan, quantity: presentSubscription(subscription).pendingChange!.quantity };
}

async function listAsked(db: Queryable, subscription: Subscription, now: Date): Promise<Asked[]> {
  const { status, pendingChange, renewalInvoiceId } = subscription;
  const found = await Promise.all([
    status === 'incomplete' ? findBeginning(db, subscription, now) : undefined,
    readAsked(db, renewalKind(subscription), subscription, renewalInvoiceId, now),
    readAsked(db, 'change', subscription, pendingChange?.invoiceId, now),
  ]);
  // A subscription that ended unpaid stays payable as long as paying restores it.
  return found
    .filter((asked) => asked !== undefined)
    .filter(
      ({ kind, isPayable: isStill, payment }) => kind !== 'return' || isStill || payment === 'processing',
    );
}

function renewalKind({ status }: Subscription): Asked['kind'] {
  if (status === 'canceled') return 'return';
  return status === 'past_due' ? 'overdue' : 'renew';
}

/** The first payment of one that has not begun. */
async function findBeginning(db: Queryable, { merchantId, id, customerId }: Subscription, now: Date) {
  const filter = { customerId, subscriptionId: id, status: ['open'] };
  const [invoice] = await listInvoices(db, merchantId, filter, toRange({ limit: 1 }));
  const session = invoice && (await findSessionOf(db, invoice));
  return session?.status === 'open' ? asked('begin', invoice!, session, now) : undefined;
}

async function readAsked(
  db: Queryable,
  kind: Asked['kind'],
  { merchantId }: Subscription,
  invoiceId: string | null | undefined,
  now: Date,
): Promise<Asked | undefined> {
  if (!invoiceId) return undefined;
  const invoice = await findInvoice(db, { merchantId, id: invoiceId });
  const session = invoice && (await findSessionOf(db, invoice));
  return session && asked(kind, invoice, session, now);
}

/** Finds the session that an invoice is paid by; undefined if it never had one. */
async function findSessionOf(
  db: Queryable,
  { merchantId, checkoutSessionId }: Invoice,
): Promise<Session | undefined> {
  return checkoutSessionId === null ? undefined : findSession(db, { merchantId, id: checkoutSessionId });
}

function asked(kind: Asked['kind'], invoice: Invoice, session: Session, now: Date): Asked {
  return {
    kind,
    amountCents: amountDueCents(invoice),
    totalCents: invoice.totalCents,
    payment: session.paymentStatus,
    dueAt: invoice.dueAt,
    payUrl: session.checkoutUrl,
    isPayable: isPayable(session, invoice, now),
    payableUntil: payableUntil(session),
  };
}

/** Paid as far as the customer can: nothing more is asked of them. */
export function isOnItsWay({ payment }: Asked): boolean {
  return payment === 'processing';
}
