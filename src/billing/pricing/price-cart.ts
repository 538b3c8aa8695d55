import { badField } from '../../platform/lib/errors.ts';
import { type Cents, MAX_INT64 } from '../../platform/lib/money.ts';
import { allocate } from './allocate.ts';

/** Quantity of one item. */
export interface CartLine {
  /** Names what is bought, and distinguishes lines of the same amount. */
  key: string;
  unitAmountCents: Cents;
  quantity: bigint;
  /** True if the discount applies to it; this is the default. */
  isDiscountable?: boolean;
  tax?: TaxRate | null;
}

export interface TaxRate {
  id: string;
  /** Millionths: 190000 is 19 %. */
  ratePpm: bigint;
  /** Says if the price contains the tax, or the tax is added to it. */
  behavior: 'inclusive' | 'exclusive';
}

/** A part of the price, in hundredths of a percent (2500 is 25 %), or a fixed amount. */
export type CartDiscount = { percentOffBps: bigint } | { amountOffCents: Cents };

export interface Cart {
  lines: readonly CartLine[];
  discount?: CartDiscount | null;
  /** Account credit that may pay a part of it. */
  creditCents?: Cents;
  /** The field of a request that is wrong if this costs too much. */
  field?: string;
}

export interface PricedLine {
  /** Unit amount × quantity. */
  amountCents: Cents;
  discountCents: Cents;
  taxCents: Cents;
}

export interface PricedTax extends TaxRate {
  /** The amount it is calculated from: with the tax if that is inclusive, without it otherwise. */
  taxableCents: Cents;
  taxCents: Cents;
}

/** Prices of a cart. Lines are in the order of the cart. */
export interface PricedCart {
  lines: PricedLine[];
  subtotalCents: Cents;
  discountCents: Cents;
  /** One of each rate, in the order of their ids. */
  taxes: PricedTax[];
  /** All tax, contained or added. */
  taxCents: Cents;
  /** The price before account credit. */
  amountCents: Cents;
  creditAppliedCents: Cents;
  /** The amount that is left to pay. */
  totalCents: Cents;
}

/**
 * The one calculation of a price: for a checkout, a renewal, a plan change, a preview, an invoice and its PDF. Exact
 * to the cent: shares of lines add up to the totals, the order of the lines changes nothing, no amount is negative and
 * none passes int64. Tax is rounded once per rate.
 */
export function priceCart(cart: Cart): PricedCart {
  const { lines, discount = null, creditCents = 0n, field = 'lineItems' } = cart;
  const amounts = lines.map(({ unitAmountCents, quantity }) => inInt64(unitAmountCents * quantity, field));
  const subtotalCents = inInt64(sum(amounts), field);
  const discounts = discountLines(lines, amounts, discount);
  const discountCents = sum(discounts);
  const nets = amounts.map((amount, i) => amount - discounts[i]!);
  const taxed = taxLines(lines, nets);
  const added = sum(taxed.rates.map((rate) => (rate.behavior === 'exclusive' ? rate.taxCents : 0n)));
  const amountCents = inInt64(subtotalCents - discountCents + added, field);
  const creditAppliedCents = smaller(creditCents, amountCents);
  return {
    lines: amounts.map((amount, i) => ({
      amountCents: amount,
      discountCents: discounts[i]!,
      taxCents: taxed.lines[i]!,
    })),
    subtotalCents,
    discountCents,
    taxes: taxed.rates,
    taxCents: sum(taxed.rates.map(({ taxCents }) => taxCents)),
    amountCents,
    creditAppliedCents,
    totalCents: amountCents - creditAppliedCents,
  };
}

/** Beyond int64 there is no amount that can be stored, shown or paid. */
export function inInt64(cents: Cents, field: string): Cents {
  if (cents > MAX_INT64) throw badField(field, `${problemOf(field)} more than ${MAX_INT64} cents`);
  return cents;
}

/** A quantity or a price is no sum itself, only what makes it too large. */
function problemOf(field: string): string {
  return field === 'lineItems' ? 'must not add up to' : 'is too large: the total would be';
}

const WHOLE_BPS = 10_000n;

function discountLines(
  lines: readonly CartLine[],
  amounts: readonly Cents[],
  discount: CartDiscount | null,
): Cents[] {
  if (!discount) return amounts.map(() => 0n);
  const shares = lines.map(({ key, unitAmountCents, isDiscountable = true }, i) => ({
    weight: isDiscountable ? amounts[i]! : 0n,
    key: `${key} ${unitAmountCents}`,
  }));
  const base = sum(shares.map(({ weight }) => weight));
  const off =
    'percentOffBps' in discount
      ? roundHalfUp(base * discount.percentOffBps, WHOLE_BPS)
      : discount.amountOffCents;
  return allocate(smaller(off, base), shares);
}

const WHOLE_PPM = 1_000_000n;

/** Each rate's tax on all its lines together, then divided over them. */
function taxLines(
  lines: readonly CartLine[],
  nets: readonly Cents[],
): { lines: Cents[]; rates: PricedTax[] } {
  const taxes = nets.map(() => 0n as Cents);
  const rates = ratesOf(lines).map((rate) => {
    const shares = lines.map(({ key, unitAmountCents, tax }, i) => ({
      weight: tax && nameOf(tax) === nameOf(rate) ? nets[i]! : 0n,
      key: `${key} ${unitAmountCents}`,
    }));
    const taxableCents = sum(shares.map(({ weight }) => weight));
    const { ratePpm, behavior } = rate;
    const whole = behavior === 'inclusive' ? WHOLE_PPM + ratePpm : WHOLE_PPM;
    const taxCents = roundHalfUp(taxableCents * ratePpm, whole);
    allocate(taxCents, shares).forEach((part, i) => {
      taxes[i]! += part;
    });
    return { ...rate, taxableCents, taxCents };
  });
  return { lines: taxes, rates };
}

function ratesOf(lines: readonly CartLine[]): TaxRate[] {
  const rates = new Map(lines.flatMap(({ tax }) => (tax ? [[nameOf(tax), tax] as const] : [])));
  return [...rates].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, rate]) => rate);
}

function nameOf({ id, ratePpm, behavior }: TaxRate): string {
  return `${id} ${behavior} ${ratePpm}`;
}

/** Below zero too, what is given back is rounded like what was taken. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -roundHalfUp(-numerator, denominator);
  return (2n * numerator + denominator) / (2n * denominator);
}

function smaller(one: Cents, other: Cents): Cents {
  return one < other ? one : other;
}

function sum(cents: readonly Cents[]): Cents {
  return cents.reduce((total, each) => total + each, 0n);
}
