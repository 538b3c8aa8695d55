import {
  Int32,
  Int64,
  List,
  Name,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Uuid,
} from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { type Cents, MAX_INT64 } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import type { InvoiceLine } from '../invoices/invoice.ts';
import { priceCart } from '../pricing/price-cart.ts';
import { TAX_BEHAVIORS, type TaxBehavior } from '../tax-rates/tax-rate.ts';
import { lineOfName, lineOfPrice } from './price-line.ts';
import type { Mode } from './session.ts';
import type { LineTerms } from './tax-lines.ts';

export const MAX_LINES = 50;
export const MAX_OF_A_LINE = 10_000;

export const LineItems = List(
  Shape('LineItem', {
    priceId: Optional(Uuid('A price of the project. Either this, or name and unitAmountCents.')),
    name: Optional(Name({ description: 'What it is, as the customer reads it.' })),
    unitAmountCents: Optional(Int64({ min: 1, description: 'What one of it costs.' })),
    quantity: Optional(
      Int32({
        min: 1,
        max: MAX_OF_A_LINE,
        description: 'Default 1. Of a subscription price: the seats, which its renewals keep.',
      }),
    ),
    taxBehavior: Optional(OneOf(TAX_BEHAVIORS, 'Of an item with a name; a price has its own. Default none.')),
    taxRateId: Optional(Nullable(Uuid('Of an item with a name. Null: the default of the buyer’s country.'))),
  }),
  { min: 1, max: MAX_LINES },
);

export interface LineItem {
  priceId?: string;
  name?: string;
  unitAmountCents?: Cents;
  quantity?: number;
  taxBehavior?: TaxBehavior;
  taxRateId?: string | null;
}

/** Items that a session sells. */
export interface Bought {
  /** Lines with the renewing one first. */
  lines: InvoiceLine[];
  /** Tax terms of each line. */
  terms: LineTerms[];
  /** The price of all of it, or of what renews. */
  priceId: string | null;
  /** Amount added to the customer's credits. */
  creditAmount: bigint | null;
}

export type FindPrice = (id: string) => CatalogPrice | undefined;

/**
 * Line items as invoice lines. Beside what the mode is about, one-time prices and custom items can be bought with it.
 * Refusals name the item.
 */
export function buyItems(mode: Mode, items: readonly LineItem[], findPrice: FindPrice): Bought {
  const found = items.map((item, at) => buyItem(item, findPrice, `lineItems.${at}`));
  const main = found.filter(({ price }) => price !== undefined && price.billingMode === mode);
  found.forEach(({ price }, at) => {
    if (price && price.billingMode !== mode && price.billingMode !== 'one_time') {
      throw badField(
        `lineItems.${at}.priceId`,
        mode === 'one_time' ? 'must be a one_time price' : `must be a price for ${mode} or one_time`,
      );
    }
  });
  if (mode !== 'one_time' && main.length === 0) {
    throw badField('lineItems', `must contain a price for ${mode}`);
  }
  if (mode === 'subscription' && main.length > 1) {
    const at = found.indexOf(main[1]!);
    throw badField(`lineItems.${at}.priceId`, 'is a second subscription price; a session can have one');
  }
  const ordered = mode === 'subscription' ? [main[0]!, ...found.filter((each) => each !== main[0])] : found;
  return {
    lines: priced(ordered.map(({ line }) => line)),
    terms: ordered.map(({ terms }) => terms),
    priceId: mode === 'subscription' || items.length === 1 ? (ordered[0]!.price?.id ?? null) : null,
    creditAmount: mode === 'balance_top_up' ? creditsOf(main) : null,
  };
}

interface Item {
  price: CatalogPrice | undefined;
  line: InvoiceLine;
  terms: LineTerms;
}

function buyItem(item: LineItem, findPrice: FindPrice, field: string): Item {
  const { priceId, name, unitAmountCents, quantity = 1 } = item;
  if (priceId === undefined) {
    if (name === undefined) throw badField(`${field}.priceId`, 'or name and unitAmountCents are required');
    if (unitAmountCents === undefined) throw badField(`${field}.unitAmountCents`, 'is required with name');
    return {
      price: undefined,
      line: lineOfName(name, unitAmountCents, quantity),
      terms: termsOfItem(item, field),
    };
  }
  if (name !== undefined) throw badField(`${field}.name`, 'cannot be combined with priceId');
  if (unitAmountCents !== undefined) {
    throw badField(`${field}.unitAmountCents`, 'cannot be combined with priceId');
  }
  for (const own of ['taxBehavior', 'taxRateId'] as const) {
    if (item[own] !== undefined) throw badField(`${field}.${own}`, 'cannot be combined with priceId');
  }
  const price = findPrice(priceId.toLowerCase());
  if (!price) throw badField(`${field}.priceId`, 'must be the id of a price of this project');
  if (!price.isActive || !price.productIsActive) throw badField(`${field}.priceId`, 'is no longer sold');
  return { price, line: lineOfPrice(price, quantity), terms: price };
}

function termsOfItem({ taxBehavior = 'none', taxRateId = null }: LineItem, field: string): LineTerms {
  if (taxBehavior === 'none' && taxRateId !== null) {
    throw badField(`${field}.taxRateId`, 'requires taxBehavior inclusive or exclusive');
  }
  return { taxBehavior, taxRateId: taxRateId?.toLowerCase() ?? null, field: `${field}.taxRateId` };
}

/** The sum is checked here: beyond int64 nothing can be paid. */
function priced(lines: readonly InvoiceLine[]): InvoiceLine[] {
  const cart = lines.map(({ priceId, description, unitAmountCents, quantity }) => ({
    key: priceId ?? description,
    unitAmountCents,
    quantity,
  }));
  const { lines: amounts } = priceCart({ lines: cart });
  return lines.map((line, at) => ({ ...line, amountCents: amounts[at]!.amountCents }));
}

function creditsOf(items: readonly Item[]): bigint {
  const credits = items.reduce((sum, { price, line }) => sum + price!.creditAmount! * line.quantity, 0n);
  if (credits > MAX_INT64) throw badField('lineItems', `must not add more than ${MAX_INT64} credits`);
  return credits;
}
