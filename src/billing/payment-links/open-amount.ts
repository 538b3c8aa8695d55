import { badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';

/** The most that a stranger chooses where the merchant has set no limit: a million dollars. More is a typing mistake, or worse. */
const DEFAULT_MAX_CENTS = 100_000_000n;

/** The buyer chooses what to pay, within these limits. */
export interface OpenAmount {
  minCents: Cents;
  maxCents: Cents | null;
  suggestedCents: Cents[];
}

export interface OpenAmountTerms {
  minCents: Cents;
  maxCents?: Cents | null | undefined;
  suggestedCents?: Cents[] | undefined;
}

/** Checks and completes an open amount. The price's own amount applies to buyers who choose none. */
export function checkOpenAmount(
  terms: OpenAmountTerms | null | undefined,
  price: CatalogPrice,
): OpenAmount | null {
  if (!terms) return null;
  if (price.billingMode !== 'one_time') throw badField('openAmount', 'is only for billingMode one_time');
  const { minCents, maxCents = null, suggestedCents = [] } = terms;
  const open = { minCents, maxCents, suggestedCents };
  if (maxCents !== null && maxCents < minCents) {
    throw badField('openAmount.maxCents', 'must not be less than minCents');
  }
  if (
    maxCents === null &&
    [minCents, price.unitAmountCents, ...suggestedCents].some((cents) => cents > DEFAULT_MAX_CENTS)
  ) {
    throw badField('openAmount.maxCents', `must be set where an amount is more than ${DEFAULT_MAX_CENTS}`);
  }
  if (!suggestedCents.every((cents) => isWithin(open, cents))) {
    throw badField('openAmount.suggestedCents', 'must be amounts from minCents to maxCents');
  }
  if (new Set(suggestedCents).size < suggestedCents.length) {
    throw badField('openAmount.suggestedCents', 'must not name an amount twice');
  }
  if (!isWithin(open, price.unitAmountCents)) {
    const amount = `the price’s own amount, ${price.unitAmountCents} cents`;
    throw badField('openAmount', `must include ${amount}, which is paid where nobody chooses`);
  }
  return open;
}

/** Returns the amount to pay: the price, or what the buyer chose if the link leaves it to them. */
export function amountOf(open: OpenAmount | null, price: CatalogPrice, chosen: Cents | null): Cents {
  if (chosen === null) return price.unitAmountCents;
  if (!open) throw badField('amountCents', 'is only for links with an open amount');
  if (!isWithin(open, chosen)) {
    throw badField('amountCents', `must be from ${open.minCents} to ${maxOf(open)}`);
  }
  return chosen;
}

export function isWithin(open: OpenAmount, cents: Cents): boolean {
  return cents >= open.minCents && cents <= maxOf(open);
}

export function maxOf({ maxCents }: OpenAmount): Cents {
  return maxCents ?? DEFAULT_MAX_CENTS;
}
