import { AppError } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import type { InvoiceLine } from '../invoices/invoice.ts';
import { describeAmount } from '../invoices/standard-text.ts';

/** The invoice line of a price. */
export function lineOfPrice(price: CatalogPrice, quantity = 1): InvoiceLine {
  const name = price.name === null ? price.productName : `${price.productName} – ${price.name}`;
  return { ...line(name, price.unitAmountCents, quantity), priceId: price.id };
}

/** The invoice line of something that is not in the catalog. */
export function lineOfName(name: string, unitAmountCents: Cents, quantity: number): InvoiceLine {
  return line(name, unitAmountCents, quantity);
}

/** A custom amount without a price. */
export function lineOfAmount(amountCents: Cents, merchantReference: string | null): InvoiceLine {
  return line(describeAmount(merchantReference), amountCents);
}

function line(description: string, unitAmountCents: Cents, quantity = 1): InvoiceLine {
  return {
    description,
    quantity: BigInt(quantity),
    unitAmountCents,
    amountCents: unitAmountCents * BigInt(quantity),
    discountCents: 0n,
    tax: null,
    taxCents: 0n,
    priceId: null,
    periodStart: null,
    periodEnd: null,
  };
}

/** Nothing new is sold at a price that was taken off the shelf. */
export function requireOnSale(price: CatalogPrice): void {
  if (!price.isActive) throw new AppError('INVALID_STATE', { message: 'This price is not active.' });
  if (!price.productIsActive) throw new AppError('INVALID_STATE', { message: 'This product is not active.' });
}
