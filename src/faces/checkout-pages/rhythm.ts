import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { fullPeriodCents } from '../../billing/checkout-sessions/session-trial.ts';
import { type Discount, startingDiscount } from '../../billing/discounts/discount.ts';
import { findDiscount } from '../../billing/discounts/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { formatEvery } from '../pages/interval.ts';
import type { Language } from '../pages/language.ts';
import { describeTrial, type Reduced } from '../pages/trial.ts';

/** `Every month.`, or what comes before and after the end of a trial. */
export function rhythm(
  { trialDays, lines }: Session,
  price: CatalogPrice,
  kept: Discount | undefined,
  language: Language,
): string {
  if (trialDays === null) return `${every(price, language)}.`;
  const full = { ...price, unitAmountCents: fullPeriodCents(lines, price) };
  return describeTrial(trialDays, full, 1n, language, kept && reducedBy(kept, lines, price));
}

/** The discount of a trial waits for the first period that is paid. */
export async function findKeptDiscount(
  db: Queryable,
  { merchantId, trialDays, discount }: Session,
): Promise<Discount | undefined> {
  if (trialDays === null || discount === null) return undefined;
  return findDiscount(db, { merchantId, id: discount.id });
}

export function keptDiscount({ discount }: Session, label: string): Html {
  return html`<p class="muted small">${label} <bdi>${discount!.promotionCode ?? discount!.name}</bdi></p>`;
}

function reducedBy(discount: Discount, lines: Session['lines'], price: CatalogPrice): Reduced {
  return {
    amountCents: fullPeriodCents(lines, price, discount),
    periods: startingDiscount(discount).discountPeriodsLeft,
  };
}

/** `Every 6 months`. */
function every({ recurringInterval, recurringIntervalCount }: CatalogPrice, language: Language): string {
  const text = formatEvery(recurringInterval!, recurringIntervalCount!, language);
  return text[0]!.toLocaleUpperCase(language) + text.slice(1);
}
