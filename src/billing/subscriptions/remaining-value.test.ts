import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { amountOfLines, type InvoiceLine } from '../invoices/invoice.ts';
import type { LineTax } from '../pricing/tax.ts';
import { planChange } from './plan-change.ts';
import { wholePeriod } from './plan-lines.ts';
import { type PeriodPayment, remainingValue } from './remaining-value.ts';
import type { Subscription } from './subscription.ts';

const START = new Date('2026-06-01T00:00:00Z');
const day = (count: number) => new Date(START.getTime() + count * DAY_MS);

const line = (amountCents: bigint) =>
  ({ amountCents, discountCents: 0n, tax: null, taxCents: 0n }) as InvoiceLine;

type Paid = Partial<PeriodPayment['invoice']> & {
  lines: InvoiceLine[];
  keptCents: bigint;
  creditPaidCents?: bigint;
  givenCents?: bigint;
};

function payment({ keptCents, creditPaidCents, givenCents = 0n, ...fields }: Paid): PeriodPayment {
  const creditAppliedCents = fields.creditAppliedCents ?? 0n;
  const totalCents = amountOfLines(fields.lines) - creditAppliedCents;
  const of = { billingReason: 'subscription_create' as const, periodStart: START, periodEnd: day(30) };
  return {
    invoice: { ...of, creditAppliedCents, totalCents, ...fields },
    ...{ keptCents, creditPaidCents: creditPaidCents ?? creditAppliedCents, givenCents },
  };
}

describe('what the rest of a period is worth', () => {
  test('its share where everything was paid and kept, and nothing where nothing was paid', () => {
    expect(remainingValue([], START)).toBe(0n);
    expect(remainingValue([payment({ lines: [line(3_000n)], keptCents: 3_000n })], day(1))).toBe(2_900n);
    expect(remainingValue([payment({ lines: [line(0n)], keptCents: 0n })], day(1))).toBe(0n);
  });

  test('a share of what is left, rounded down', () => {
    const paid = [payment({ lines: [line(3_000n)], keptCents: 1n })];
    expect([0, 1, 15].map((count) => remainingValue(paid, day(count)))).toEqual([1n, 0n, 0n]);
  });

  const change = { billingReason: 'subscription_change' as const };
  /** Unused time that a change takes over, from a day on. */
  const unused = (cents: bigint, from: number) => ({ ...line(-cents), periodStart: day(from) });

  test('as of a time before a change, the change counts in full and no more', () => {
    const paid = [
      payment({ lines: [line(3_000n)], keptCents: 0n }),
      payment({
        ...{ ...change, periodStart: day(15), keptCents: 2_000n },
        lines: [unused(1_000n, 15), line(3_000n)],
      }),
    ];
    expect([10, 15, 21].map((count) => remainingValue(paid, day(count)))).toEqual([2_000n, 2_000n, 1_200n]);
  });

  test('what a change begins is also paid for with unused time, as far as that is still there', () => {
    const lines = [unused(1_000n, 0), line(3_000n)];
    const before = (keptCents: bigint) => payment({ lines: [line(1_000n)], keptCents });
    const worth = (keptCents: bigint, paid: Partial<Paid>) =>
      remainingValue([before(keptCents), payment({ ...change, lines, keptCents: 0n, ...paid })], START);
    expect(worth(1_000n, { keptCents: 500n })).toBe(1_500n);
    expect(worth(300n, { keptCents: 500n })).toBe(800n);
    expect(worth(1_000n, { creditAppliedCents: 400n })).toBe(1_400n);
    expect(remainingValue([payment({ ...change, lines, keptCents: 500n })], START)).toBe(500n);
  });

  test('what a change gave as account credit is gone, whatever is refunded or given after it', () => {
    const lines = [unused(1_000n, 0), line(1_000n)];
    const worth = (keptCents: bigint, givenCents: bigint) =>
      remainingValue(
        [
          payment({ lines: [line(6_000n)], keptCents }),
          payment({ ...change, lines, keptCents: 0n, givenCents }),
        ],
        START,
      );
    expect(worth(6_000n, 5_000n)).toBe(1_000n);
    expect(worth(5_500n, 5_000n)).toBe(500n);
    expect(worth(5_000n, 5_000n)).toBe(0n);
    expect(worth(4_000n, 5_000n)).toBe(0n);
    expect(worth(1_000n, 0n)).toBe(1_000n);
  });

  test('what it gave beyond what is left is missing wherever the credit paid next, however late', () => {
    const worth = (keptCents: bigint, paid: Partial<Paid>, from = 0) =>
      remainingValue(
        [
          payment({ lines: [line(2_000n)], keptCents }),
          payment({ ...change, lines: [unused(501n, 0), line(501n)], keptCents: 0n, givenCents: 1_499n }),
          payment({
            ...{ ...change, periodStart: day(from), periodEnd: day(from + 30), keptCents: 0n },
            ...{ lines: [unused(500n, from), line(3_000n)], ...paid },
          }),
        ],
        day(from),
      );
    const paid = { creditAppliedCents: 1_499n, keptCents: 1_001n };
    expect([0, 15].map((from) => worth(2_000n, paid, from))).toEqual([3_000n, 2_750n]);
    expect([0, 15].map((from) => worth(0n, paid, from))).toEqual([1_001n, 1_001n]);
    expect([0, 15].map((from) => worth(0n, { ...paid, keptCents: 0n }, from))).toEqual([0n, 0n]);
    expect(worth(499n, paid)).toBe(1_500n);
  });

  test('account credit that was not taken again counts for nothing', () => {
    const paid = { lines: [line(2_000n)], creditAppliedCents: 833n, keptCents: 1_167n };
    const worth = (creditPaidCents: bigint) => remainingValue([payment({ ...paid, creditPaidCents })], START);
    expect([833n, 300n, 0n].map(worth)).toEqual([2_000n, 1_467n, 1_167n]);
  });
});

const priceOf = (id: string, unitAmountCents: bigint, days: number) =>
  ({
    ...{ id, unitAmountCents, recurringInterval: 'day', recurringIntervalCount: days },
    ...{ name: null, productName: 'Plan' },
  }) as CatalogPrice;

const taxed = (behavior: LineTax['behavior'], percentPpm: number): LineTax => ({
  ...{ taxRateId: 'r', name: 'VAT', percentPpm, country: 'DE', category: 'S', behavior },
});

test('credit and surplus together are never more than was kept, whatever the tax', () => {
  const cents = fc.bigInt({ min: 1n, max: 1_000_000n });
  const tax = fc.option(
    fc.tuple(fc.constantFrom('exclusive', 'inclusive'), fc.integer({ min: 1, max: 400_000 })),
  );
  const hours = fc.integer({ min: 0, max: 719 });
  fc.assert(
    fc.property(
      cents,
      cents,
      tax,
      hours,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (old, fresh, of, at, part) => {
        const price = priceOf('a', old, 30);
        const lineTax = of && taxed(of[0] as LineTax['behavior'], of[1]);
        const current = { price, quantity: 1 };
        const lines = priceLines([{ ...wholePeriod(current), tax: lineTax }], undefined, () => undefined);
        const total = amountOfLines(lines);
        const keptCents = BigInt(Math.floor(Number(total) * part));
        const payments = [payment({ lines, keptCents })];
        const prorationDate = new Date(START.getTime() + at * 3_600_000);
        const request = {
          subscription: {
            status: 'active',
            currentPeriodStart: START,
            currentPeriodEnd: day(30),
          } as Subscription,
          current,
          next: { price: priceOf('b', fresh, 7), quantity: 1 },
          ...{ periodDiscount: undefined, nextDiscount: undefined, taxOf: () => lineTax },
          ...{ behavior: 'reset' as const, prorationDate, now: prorationDate },
        };
        const plan = planChange({ ...request, payments });
        const whole = planChange({ ...request, payments: [payment({ lines, keptCents: total })] });
        const worth = remainingValue(payments, prorationDate);
        const [unused] = priceLines([plan.lines[0]!], undefined, () => undefined);
        const given = plan.surplusCents - amountOfLines([unused!]);
        if (given > worth || worth > keptCents) expect.fail(`${given} of ${worth} of ${keptCents}`);
        if (plan.surplusCents < 0n || amountOfLines(plan.lines) < 0n) expect.fail('less than nothing');
        const least = whole.creditCents < worth ? whole.creditCents : worth;
        if (!lineTax && plan.creditCents !== least) expect.fail(`${plan.creditCents}, not ${least}`);
        if (plan.creditCents > whole.creditCents) expect.fail('more than its price');
      },
    ),
    { numRuns: 5_000 },
  );
});
