import type { CatalogPrice } from '../../billing/catalog/price.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { fullPeriodCents } from '../../billing/checkout-sessions/session-trial.ts';
import type { Discount } from '../../billing/discounts/discount.ts';
import { findDiscount } from '../../billing/discounts/queries.ts';
import { findSubscription } from '../../billing/subscriptions/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';
import { formatEvery } from '../parts/interval.ts';
import { describeEnding, describeTrial, type Reduced } from '../parts/trial.ts';

/** The discount of a session, and for how many more periods, with this one: null for good. */
export interface PageDiscount {
  discount: Discount;
  periods: number | null;
}

/** `Every month.`, or what comes before and after the end of a trial or of a discount. */
export function describeRenewal(
  { trialDays, lines }: Session,
  price: CatalogPrice,
  found: PageDiscount | undefined,
  language: Language,
): string {
  const full = { ...price, unitAmountCents: fullPeriodCents(lines, price) };
  const reduced = found && reducedBy(found, lines, price);
  if (trialDays !== null) return describeTrial(trialDays, full, 1n, language, reduced);
  const text =
    reduced && reduced.periods !== null ? describeEnding(full, reduced, language) : every(price, language);
  return `${text}.`;
}

/** The discount that a new subscription begins with, or that the renewal of one still has. */
export async function findPageDiscount(
  db: Queryable,
  { merchantId, discount: applied, subscriptionId }: Session,
): Promise<PageDiscount | undefined> {
  if (applied === null || subscriptionId === null) return undefined;
  const [discount, subscription] = await Promise.all([
    findDiscount(db, { merchantId, id: applied.id }),
    findSubscription(db, { merchantId, id: subscriptionId }),
  ]);
  // A part payment has used it up, so nothing is promised about later periods.
  if (!discount || subscription?.discountId !== applied.id) return undefined;
  return { discount, periods: subscription.discountPeriodsLeft };
}

export function keptDiscount({ discount }: Session, label: string): Html {
  return html`<p class="muted small">${label} <bdi>${discount!.promotionCode ?? discount!.name}</bdi></p>`;
}

function reducedBy(
  { discount, periods }: PageDiscount,
  lines: Session['lines'],
  price: CatalogPrice,
): Reduced {
  return { amountCents: fullPeriodCents(lines, price, discount), periods };
}

/** `Every 6 months`. */
function every({ recurringInterval, recurringIntervalCount }: CatalogPrice, language: Language): string {
  const text = formatEvery(recurringInterval!, recurringIntervalCount!, language);
  return text[0]!.toLocaleUpperCase(language) + text.slice(1);
}
