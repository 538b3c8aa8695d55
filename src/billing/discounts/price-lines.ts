import type { InvoiceLine } from '../invoices/invoice.ts';
import { taxKeyOf } from '../invoices/taxes-of.ts';
import { priceCart, type TaxRate } from '../pricing/price-cart.ts';
import type { LineTax } from '../pricing/tax.ts';
import { cartDiscountOf, type Discount } from './discount.ts';

/** Returns the product of a price. */
export type ProductOf = (priceId: string) => string | undefined;

/** The lines with what a discount takes off each of them and the tax of what is left, if there is any of either. */
export function priceLines(
  lines: readonly InvoiceLine[],
  discount: Discount | undefined,
  productOf: ProductOf,
  field = 'lineItems',
): InvoiceLine[] {
  const cart = lines.map((line) => ({
    key: line.priceId ?? line.description,
    unitAmountCents: line.unitAmountCents,
    quantity: line.quantity,
    // A credit for unused time gets no discount: what it returns was discounted when it was bought.
    isDiscountable:
      line.amountCents >= 0n && isFor(discount, line.priceId === null ? undefined : productOf(line.priceId)),
    tax: line.tax && cartTaxOf(line.tax),
  }));
  const priced = priceCart({ lines: cart, discount: discount ? cartDiscountOf(discount) : null, field });
  return lines.map((line, at) => ({
    ...line,
    amountCents: priced.lines[at]!.amountCents,
    discountCents: priced.lines[at]!.discountCents,
    taxCents: priced.lines[at]!.taxCents,
  }));
}

function cartTaxOf(tax: LineTax): TaxRate {
  return { id: taxKeyOf(tax), ratePpm: BigInt(tax.percentPpm), behavior: tax.behavior };
}

function isFor(discount: Discount | undefined, productId: string | undefined): boolean {
  if (!discount?.productIds) return true;
  return productId !== undefined && discount.productIds.includes(productId);
}
