import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import { amountOfLines, type InvoiceLine } from '../../money/invoices/invoice.ts';
import type { LineTax } from '../../money/pricing/tax.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { keptWorth, type PeriodPayment } from './kept-worth.ts';
import { planChange } from './plan-change.ts';
import { wholePeriod } from './plan-lines.ts';
import type { Subscription } from './subscription.ts';

const START = new Date('2026-06-01T00:00:00Z');
const day = (count: number) => new Date(START.getTime() + count * DAY_MS);

const line = (amountCents: bigint) =>
  ({ amountCents, discountCents: 0n, tax: null, taxCents: 0n }) as InvoiceLine;

type Paid = Partial<PeriodPayment['invoice']> & { lines: InvoiceLine[]; keptCents: bigint };

function payment({ keptCents, ...fields }: Paid): PeriodPayment {
  const creditAppliedCents = fields.creditAppliedCents ?? 0n;
  const totalCents = amountOfLines(fields.lines) - creditAppliedCents;
  const of = { billingReason: 'subscription_create' as const, periodStart: START, periodEnd: day(30) };
  return { invoice: { ...of, creditAppliedCents, totalCents, ...fields }, keptCents };
}

describe('what the rest of a period is worth', () => {
  test('undefined where everything was paid and kept, or nothing was due', () => {
    expect(keptWorth([], START)).toBeUndefined();
    expect(keptWorth([payment({ lines: [line(3_000n)], keptCents: 3_000n })], day(1))).toBeUndefined();
    expect(keptWorth([payment({ lines: [line(0n)], keptCents: 0n })], day(1))).toBeUndefined();
  });

  test('a share of what is left, halves rounded up', () => {
    const paid = [payment({ lines: [line(3_000n)], keptCents: 1n })];
    expect([0, 15, 16].map((count) => keptWorth(paid, day(count)))).toEqual([1n, 1n, 0n]);
  });

  test('as of a time before a change, the change counts in full and no more', () => {
    const paid = [
      payment({ lines: [line(3_000n)], keptCents: 0n }),
      payment({
        ...{ billingReason: 'subscription_change', periodStart: day(15), keptCents: 2_000n },
        lines: [line(-1_000n), line(3_000n)],
      }),
    ];
    expect([10, 15, 21].map((count) => keptWorth(paid, day(count)))).toEqual([2_000n, 2_000n, 1_200n]);
  });

  test('a period that began with a change was also paid for with unused time', () => {
    const lines = [line(-1_000n), line(3_000n)];
    const change = { billingReason: 'subscription_change' as const, lines };
    expect(keptWorth([payment({ ...change, keptCents: 500n })], START)).toBe(1_500n);
    const byCredit = { ...change, creditAppliedCents: 400n, keptCents: 0n };
    expect(keptWorth([payment(byCredit)], START)).toBe(1_400n);
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
        const keptCents = BigInt(Math.floor(Number(total - 1n) * part));
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
        const whole = planChange({ ...request, payments: [] });
        const worth = keptWorth(payments, prorationDate)!;
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
