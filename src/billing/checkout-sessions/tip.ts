import { Int32, List } from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { type Cents, MAX_INT64 } from '../../platform/lib/money.ts';
import type { InvoiceLine } from '../invoices/invoice.ts';
import { TIP } from '../invoices/standard-text.ts';
import { lineOfName } from './price-line.ts';
import type { Mode, Session } from './session.ts';

/** Schema of tips in bodies. */
export const TipPercents = {
  ...List(Int32({ min: 1, max: 100 }), { max: 4 }),
  description:
    'Buyers can add a tip on the page: one of these percentages, or any amount. An empty list offers none.',
};

export function checkTipPercents(percents: readonly number[] | undefined, mode: Mode): number[] {
  if (percents === undefined || percents.length === 0) return [];
  if (mode !== 'one_time') throw badField('tipPercents', 'is only for one_time');
  if (new Set(percents).size < percents.length)
    throw badField('tipPercents', 'must not name a percentage twice');
  return [...percents];
}

/** Returns the lines without the tip, which is always the last one. */
export function withoutTip({ tipCents }: Session, lines: readonly InvoiceLine[]): InvoiceLine[] {
  return tipCents === 0n ? [...lines] : lines.slice(0, -1);
}

export function withTip(lines: readonly InvoiceLine[], tipCents: Cents): InvoiceLine[] {
  return tipCents === 0n ? [...lines] : [...lines, lineOfName(TIP, tipCents, 1)];
}

/** Returns a tip to the cent, half a cent upward. */
export function tipOf(amountCents: Cents, percent: number): Cents {
  return (amountCents * BigInt(percent) + 50n) / 100n;
}

/**
 * The tip when what is bought costs another amount: one of the offered percentages stays that percentage. Any other amount
 * stays as it is, and so does every tip once the goods cost nothing, because a percentage of nothing would take it away.
 */
export function tipAfter({ tipCents, tipPercents }: Session, before: Cents, after: Cents): Cents {
  const percent = tipPercents.find((each) => tipOf(before, each) === tipCents);
  return percent === undefined || tipCents === 0n || after === 0n ? tipCents : tipOf(after, percent);
}

const ALWAYS_ALLOWED_CENTS = 10_000n;

/**
 * Returns the largest tip: the amount of the purchase, but at least a hundred dollars. More is taken for a typing
 * mistake. Both together are an amount that can be stored.
 */
export function largestTip(amountCents: Cents): Cents {
  const usual = amountCents > ALWAYS_ALLOWED_CENTS ? amountCents : ALWAYS_ALLOWED_CENTS;
  return usual > MAX_INT64 - amountCents ? MAX_INT64 - amountCents : usual;
}
