import type { Discount } from '../../src/billing/discounts/discount.ts';
import type { InvoiceLine } from '../../src/billing/invoices/invoice.ts';
import type { LineTax } from '../../src/billing/pricing/tax.ts';
import { randomCart } from './random-cart.ts';

/** Lines before they are priced, and a discount: the same for the same seed. */
export function randomInvoice(seed: number) {
  const cart = randomCart(seed);
  const lines = cart.lines.map(({ key, unitAmountCents, quantity, tax }): InvoiceLine => {
    const rate: LineTax | null = tax
      ? {
          ...{ taxRateId: tax.id, name: tax.id, percentPpm: Number(tax.ratePpm), country: 'DE' },
          ...{ category: 'S', behavior: tax.behavior },
        }
      : null;
    const amountCents = unitAmountCents * quantity;
    const none = { discountCents: 0n, taxCents: 0n, priceId: null, periodStart: null, periodEnd: null };
    return { description: key, quantity, unitAmountCents, amountCents, tax: rate, ...none };
  });
  const whole = lines.reduce((all, { amountCents }) => all + amountCents, 0n);
  const { discount = null } = cart;
  return {
    lines,
    isTooMuch: whole > 2n ** 62n,
    discount: discount
      ? ({
          percentOffBps: 'percentOffBps' in discount ? Number(discount.percentOffBps) : null,
          amountOffCents: 'amountOffCents' in discount ? discount.amountOffCents : null,
          productIds: null,
        } as Discount)
      : undefined,
  };
}
