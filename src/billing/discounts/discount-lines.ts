import type { InvoiceLine } from '../../money/invoices/invoice.ts';
import { priceCart } from '../../money/pricing/price-cart.ts';
import { cartDiscountOf, type Discount } from './discount.ts';

/** Which product each price is of. */
export type ProductOf = (priceId: string) => string | undefined;

/** The lines with what a discount takes off each of them; without a discount nothing is taken off. */
export function discountLines(
  lines: readonly InvoiceLine[],
  discount: Discount | undefined,
  productOf: ProductOf,
  field = 'lineItems',
): InvoiceLine[] {
  const cart = lines.map((line) => ({
    key: line.priceId ?? line.description,
    unitAmountCents: line.unitAmountCents,
    quantity: line.quantity,
    isDiscountable: isFor(discount, line.priceId === null ? undefined : productOf(line.priceId)),
  }));
  const priced = priceCart({ lines: cart, discount: discount ? cartDiscountOf(discount) : null, field });
  return lines.map((line, at) => ({
    ...line,
    amountCents: priced.lines[at]!.amountCents,
    discountCents: priced.lines[at]!.discountCents,
  }));
}

function isFor(discount: Discount | undefined, productId: string | undefined): boolean {
  if (!discount?.productIds) return true;
  return productId !== undefined && discount.productIds.includes(productId);
}
