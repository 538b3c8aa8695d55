import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import type { Discount } from '../discounts/discount.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { amountOfLines, type InvoiceLine } from '../invoices/invoice.ts';
import type { LineTax } from '../pricing/tax.ts';
import type { Plan } from './subscription.ts';

/** Returns the tax on a price. */
export type TaxOf = (price: CatalogPrice) => LineTax | null;

/** A line of an amount of its own, for a part of a period. */
export function partLine(
  description: string,
  price: CatalogPrice,
  amountCents: Cents,
  period: { periodStart: Date; periodEnd: Date },
  taxOf: TaxOf,
): InvoiceLine {
  return {
    description,
    quantity: 1n,
    unitAmountCents: amountCents,
    amountCents,
    discountCents: 0n,
    tax: taxOf(price),
    taxCents: 0n,
    priceId: price.id,
    ...period,
  };
}

function nameOf({ productName, name }: CatalogPrice): string {
  return name === null ? productName : `${productName} – ${name}`;
}

/** A part of a period has no unit price in whole cents, so how many it is for is in its name. */
export function nameWithCount({ price, quantity }: Plan<CatalogPrice>): string {
  return quantity === 1 ? nameOf(price) : `${quantity} × ${nameOf(price)}`;
}

/** Returns the cost of a whole period of a plan with tax, with or without a discount. */
export function periodCents(plan: Plan<CatalogPrice>, taxOf: TaxOf, discount?: Discount): Cents {
  const { price } = plan;
  const whole = { ...wholePeriod(plan), tax: taxOf(price) };
  return amountOfLines(priceLines([whole], discount, () => price.productId, 'quantity'));
}

/** Returns the amount in the terms of its price: with tax that this contains, without tax that comes on top. */
export function amountBeforeTax(
  whole: InvoiceLine,
  discount: Discount | undefined,
  { price }: Plan<CatalogPrice>,
): Cents {
  const [priced] = priceLines([{ ...whole, tax: null }], discount, () => price.productId, 'quantity');
  return amountOfLines([priced!]);
}

export function wholePeriod({ price, quantity }: Plan<CatalogPrice>): InvoiceLine {
  const { id: priceId, unitAmountCents } = price;
  const amount = {
    quantity: BigInt(quantity),
    unitAmountCents,
    amountCents: unitAmountCents * BigInt(quantity),
  };
  return {
    description: nameOf(price),
    ...amount,
    discountCents: 0n,
    tax: null,
    taxCents: 0n,
    priceId,
    periodStart: null,
    periodEnd: null,
  };
}
