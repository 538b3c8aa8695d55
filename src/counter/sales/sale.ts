import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { cents, integer, json, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { badField } from '../../platform/lib/errors.ts';
import { MAX_METADATA_VALUE_LENGTH, type Metadata, newMetadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';

/** Sales of tills. */
export const tillSales = table(
  'till_sales',
  {
    merchantId: uuid,
    intentId: uuid,
    tillId: uuid,
    /** Counts the till's sales from 1. */
    number: integer,
    lines: json<SaleLine[]>(),
    /** Price of the goods with their tax. */
    goodsCents: cents,
    tipCents: withDefault(cents),
  },
  ['merchantId', 'intentId'],
);
export type Sale = RowOf<typeof tillSales>;

export interface SaleLine {
  /** Null: an amount that was typed in. */
  name: string | null;
  quantity: number;
  unitAmountCents: Cents;
}

/** A million dollars, less a cent: more is a slip of the finger. */
export const MAX_CENTS = 99_999_999n;
export const MAX_QUANTITY = 999;
export const MAX_ITEMS = 50;

export interface Basket {
  items: readonly { priceId: string; quantity: number }[];
  amountCents: Cents;
}

export interface ChosenPrice {
  price: CatalogPrice;
  quantity: number;
}

/** The items of a basket at the catalog's own prices: what a till sends is never an item's amount. */
export function choosePrices(shelf: readonly CatalogPrice[], { items }: Basket): ChosenPrice[] {
  return items.map(({ priceId, quantity }, at) => {
    const price = shelf.find(({ id }) => id === priceId.toLowerCase());
    if (!price || !isOnShelf(price))
      throw badField(`items.${at}.priceId`, 'must be the id of an active one-time price of the project');
    return { price, quantity };
  });
}

/** Returns the lines as a till shows them. */
export function saleLines(chosen: readonly ChosenPrice[], amountCents: Cents): SaleLine[] {
  const items = chosen.map(({ price, quantity }) => ({
    ...{ name: nameOf(price), quantity, unitAmountCents: price.unitAmountCents },
  }));
  const typed = { name: null, quantity: 1, unitAmountCents: amountCents };
  return amountCents > 0n ? [...items, typed] : items;
}

export function isOnShelf({ isActive, productIsActive, billingMode }: CatalogPrice): boolean {
  return isActive && productIsActive && billingMode === 'one_time';
}

/** A product with several prices has a name for each. */
export function nameOf({ name, productName }: { name: string | null; productName: string }): string {
  return name === null || name === productName ? productName : `${productName}, ${name}`;
}

export function requireAmount(cents: Cents): Cents {
  if (cents === 0n) throw badField('amountCents', 'must be greater than 0 when nothing is in items');
  if (cents > MAX_CENTS) throw badField('amountCents', `must be at most ${MAX_CENTS}, with what is in items`);
  return cents;
}

/** Returns the order by which the payment is found again, among those of every till. */
export function orderIdOf({ tillId, number }: { tillId: string; number: number }): string {
  return `till-${tillId.slice(-6)}-${number}`;
}

/** Metadata for readers of the payment elsewhere: the dashboard, the API, a webhook. */
export function metadataOf(lines: readonly SaleLine[], tipCents: Cents): Metadata {
  const items = lines
    .filter(({ name }) => name !== null)
    .map(({ name, quantity }) => `${quantity} × ${name}`)
    .join(', ');
  const short =
    items.length > MAX_METADATA_VALUE_LENGTH ? `${items.slice(0, MAX_METADATA_VALUE_LENGTH - 1)}…` : items;
  return newMetadata({ ...(items && { items: short }), ...(tipCents > 0n && { tipCents: `${tipCents}` }) });
}
