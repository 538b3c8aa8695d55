import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import { lockCustomerByEmail, lockEmail } from '../../accounts/customers/queries.ts';
import { amountOfLines, type InvoiceLine } from '../../money/invoices/invoice.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Discount } from '../discounts/discount.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { reserveTrial, reserveTrialAgain } from '../trials/reserve-trial.ts';
import type { OpenSession } from './create-session-with-invoice.ts';
import type { Session } from './session.ts';

type Trial = Pick<OpenSession, 'lines' | 'trialDays' | 'sessionId'>;

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
  const { project, customer, customerEmail, lines, now } = open;
  const sessionId = newId(now);
  const isFirst = await reserveTrial(tx, {
    merchantId: project.merchantId,
    sessionId,
    productId,
    customerId: customer?.id ?? (await findByAddress(tx, project, customerEmail)),
    email: customerEmail,
    createdAt: now,
  });
  return isFirst ? { sessionId, trialDays, lines: withFreePlan(lines) } : undefined;
}

/** A customer who has this address already is the buyer of an anonymous checkout. */
async function findByAddress(
  tx: Tx,
  { merchantId, id: projectId }: Pick<OpenSession['project'], 'merchantId' | 'id'>,
  email: string | null,
): Promise<string | null> {
  if (email === null) return null;
  const address = { merchantId, projectId, email };
  await lockEmail(tx, address);
  return (await lockCustomerByEmail(tx, address))?.id ?? null;
}

/**
 * Whether a locked session that is paid late still gets its trial. It does not if the customer has started another trial of
 * the product in the meantime; the late payment then buys nothing.
 */
export async function regainsTrial(tx: Tx, session: Session): Promise<boolean> {
  const { merchantId, projectId, trialDays, status, customerEmail } = session;
  if (trialDays === null || status !== 'expired') return true;
  const customerId =
    session.customerId ?? (await findByAddress(tx, { merchantId, id: projectId }, customerEmail));
  return reserveTrialAgain(tx, { ...session, customerId });
}

/** What renews comes first. */
function withFreePlan([plan, ...others]: readonly InvoiceLine[]): InvoiceLine[] {
  const lines = [{ ...plan!, unitAmountCents: 0n, amountCents: 0n }, ...others];
  return priceLines(lines, undefined, () => undefined);
}

/** What a period of a session's plan costs with tax once it is not free any more, with a discount or without. */
export function fullPeriodCents(
  [plan]: readonly InvoiceLine[],
  { unitAmountCents, productId }: CatalogPrice,
  discount?: Discount,
): Cents {
  return amountOfLines(priceLines([{ ...plan!, unitAmountCents }], discount, () => productId));
}
