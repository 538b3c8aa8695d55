import { boolean, integer, oneOf, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { badField } from '../../platform/lib/errors.ts';

/** Categories of UNTDID 5305, which electronic invoices use. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

export const TAX_BEHAVIORS = ['none', 'inclusive', 'exclusive'] as const;
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number];

/** Tax rates of a country. Their percentage never changes, because it was promised and invoiced. */
export const taxRates = table(
  'tax_rates',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    name: text,
    /** Millionths: 190000 is 19 %. */
    percentPpm: integer,
    country: text,
    category: oneOf(TAX_CATEGORIES),
    /** True if prices without a rate of their own get it for buyers in its country. */
    isDefault: withDefault(boolean),
    isActive: withDefault(boolean),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type TaxRate = RowOf<typeof taxRates>;

const PPM_OF_ONE_PERCENT = 10_000;

/** 19.25 is 192500; the nearest double of a percentage with four decimals is close enough to tell. */
export function toPpm(percent: number): number {
  const ppm = Math.round(percent * PPM_OF_ONE_PERCENT);
  const isExact = Math.abs(percent * PPM_OF_ONE_PERCENT - ppm) < 1e-6;
  if (!isExact || ppm < 0 || ppm > 1_000_000) {
    throw badField('percent', 'must be from 0 to 100, with at most four decimals');
  }
  return ppm;
}

export function toPercent(ppm: number): number {
  return ppm / PPM_OF_ONE_PERCENT;
}

/** Only the standard category charges anything. */
export function requireFittingPercent(category: TaxCategory, ppm: number): void {
  if (category === 'S' && ppm === 0) throw badField('percent', 'must be more than 0 for category S');
  if (category !== 'S' && ppm > 0) throw badField('percent', `must be 0 for category ${category}`);
}
