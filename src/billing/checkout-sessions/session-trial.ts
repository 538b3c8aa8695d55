import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import type { Discount } from '../discounts/discount.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { amountOfLines, type InvoiceLine } from '../invoices/invoice.ts';
import { findTrial } from '../trials/queries.ts';
import { reserveTrial } from '../trials/reserve-trial.ts';
import type { OpenSession } from './create-session-with-invoice.ts';
import type { Session } from './session.ts';

type Trial = Pick<OpenSession, 'lines' | 'trialDays' | 'sessionId'>;

/** A stranger's trial, which begins when they open the link that was mailed to the address they typed. */
export function awaitsMailbox({ origin, status, trialDays, amountCents }: Session): boolean {
  return origin === 'link' && status === 'open' && trialDays !== null && amountCents === 0n;
}

/**
 * The trial of a checkout that is about to be created: as many days as it says, or its price. The plan then costs
 * nothing now; what is bought along with it does. A customer who has had the price's trial pays at once; a trial that
 * the request itself asks for is refused to them.
 */
export async function withTrial(
  tx: Tx,
  open: OpenSession,
  price: CatalogPrice | undefined,
  requestedDays: number | null | undefined,
): Promise<OpenSession> {
  if (requestedDays != null && open.mode !== 'subscription') {
    throw badField('trialDays', 'is only for mode subscription');
  }
  const trialDays = requestedDays ?? price?.trialDays ?? 0;
  if (trialDays === 0 || !price) return open;
  const trial = await startableTrial(tx, open, price.productId, trialDays);
  if (trial) return { ...open, ...trial };
  if (requestedDays == null) return open;
  throw new AppError('INVALID_STATE', { message: 'This customer has already had a trial of this product.' });
}

async function startableTrial(
  tx: Tx,
  open: OpenSession,
  productId: string,
  trialDays: number,
): Promise<Trial | undefined> {
  const { project, customer, customerEmail, lines, origin, now } = open;
  const sessionId = newId(now);
  // A stranger must not learn who has had one: it counts once the mailbox has proved itself.
  if (origin === 'link' && tx.queuesEmails) return { sessionId, trialDays, lines: withFreePlan(lines) };
  const trial = {
    merchantId: project.merchantId,
    sessionId,
    customerId: customer?.id ?? null,
    email: customerEmail,
    isTyped: origin === 'link',
    createdAt: now,
  };
  const isFirst = await reserveTrial(tx, trial, productId);
  return isFirst ? { sessionId, trialDays, lines: withFreePlan(lines) } : undefined;
}

/**
 * True if a locked session that is paid late, or before its mailbox was proven, gets its trial. It does not if the
 * customer has started another trial of the product in the meantime; the payment then buys nothing.
 */
export async function regainsTrial(tx: Tx, session: Session): Promise<boolean> {
  const { merchantId, id: sessionId, customerId, customerEmail: email, origin, createdAt } = session;
  if (session.trialDays === null || (await findTrial(tx, session))) return true;
  const { productId } = (await findPrice(tx, { merchantId, id: session.priceId! }))!;
  const isTyped = origin === 'link';
  return reserveTrial(tx, { merchantId, sessionId, customerId, email, isTyped, createdAt }, productId);
}

/** The mailbox of a locked session's address is proven: true if this is its first trial of the product, as which it counts now. */
export async function reserveProvenTrial(tx: Tx, session: Session): Promise<boolean> {
  const { merchantId, id: sessionId, customerId, customerEmail: email, createdAt } = session;
  const { productId } = (await findPrice(tx, { merchantId, id: session.priceId! }))!;
  return reserveTrial(tx, { merchantId, sessionId, customerId, email, isTyped: false, createdAt }, productId);
}

/** Makes the plan free, which is always the first line. */
function withFreePlan([plan, ...others]: readonly InvoiceLine[]): InvoiceLine[] {
  const lines = [{ ...plan!, unitAmountCents: 0n, amountCents: 0n }, ...others];
  return priceLines(lines, undefined, () => undefined);
}

/** Returns the cost of a period of a session's plan with tax once it is no longer free, with or without a discount. */
export function fullPeriodCents(
  [plan]: readonly InvoiceLine[],
  { unitAmountCents, productId }: CatalogPrice,
  discount?: Discount,
): Cents {
  return amountOfLines(priceLines([{ ...plan!, unitAmountCents }], discount, () => productId));
}
