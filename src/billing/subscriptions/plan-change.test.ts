import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { type CatalogPrice, INTERVALS } from '../catalog/price.ts';
import { type InvoiceLine, sumOfLines } from '../invoices/invoice.ts';
import { periodAt } from './period.ts';
import { PRORATION_BEHAVIORS, planChange } from './plan-change.ts';
import type { PeriodPayment } from './remaining-value.ts';
import { newSubscription, recurrenceOf, type Subscription, startAt } from './subscription.ts';

const priceOf = (id: string, unitAmountCents: bigint, interval: (typeof INTERVALS)[number], count: number) =>
  ({
    id,
    unitAmountCents,
    recurringInterval: interval,
    recurringIntervalCount: count,
    name: null,
    productName: 'Plan',
  }) as CatalogPrice;

const NO_DISCOUNT = { discountId: null, discountPeriodsLeft: null, trialDays: null };
const UNDISCOUNTED = { periodDiscount: undefined, nextDiscount: undefined, taxOf: () => null };

/** The payment of a period at its price. */
const paidFor = (
  { currentPeriodStart, currentPeriodEnd }: Subscription,
  totalCents: Cents,
): PeriodPayment => {
  const line = { amountCents: totalCents, discountCents: 0n, tax: null, taxCents: 0n } as InvoiceLine;
  const of = { periodStart: currentPeriodStart, periodEnd: currentPeriodEnd, lines: [line] };
  const invoice = {
    billingReason: 'subscription_create' as const,
    ...of,
    totalCents,
    creditAppliedCents: 0n,
  };
  return { invoice, keptCents: totalCents, creditPaidCents: 0n, givenCents: 0n };
};

const begun = (price: CatalogPrice, at: Date, quantity = 1) => {
  const ids = { id: 's', merchantId: 'm', projectId: 'p', customerId: 'c', externalCustomerId: null };
  const labels = {
    merchantReference: null,
    clientReferenceId: null,
    successUrl: null,
    cancelUrl: null,
    metadata: {},
  };
  const beginning = { ...ids, ...labels, priceId: price.id, quantity, ...NO_DISCOUNT, createdAt: at };
  return startAt(newSubscription(beginning), at, { price, quantity, discountId: null });
};

test('the vector: 500 to 2000 in a 30-day period, one day used', () => {
  const start = new Date('2026-06-01T00:00:00Z');
  const price = priceOf('a', 500n, 'day', 30);
  const next = priceOf('b', 2_000n, 'day', 30);
  const prorationDate = new Date('2026-06-02T00:00:00Z');
  const subscription = begun(price, start);
  const plan = planChange({
    subscription,
    payments: [paidFor(subscription, 500n)],
    current: { price, quantity: 1 },
    next: { price: next, quantity: 1 },
    ...UNDISCOUNTED,
    behavior: 'auto',
    prorationDate,
    now: prorationDate,
  });
  expect(plan).toMatchObject({ behavior: 'charge_now', creditCents: 483n, chargeCents: 1_933n });
  expect(sumOfLines(plan.lines)).toBe(1_450n);
});

const cents = fc.oneof(fc.bigInt({ min: 1n, max: 1_000_000n }), fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }));
const interval = fc.constantFrom(...INTERVALS);
const count = fc.integer({ min: 1, max: 12 });
const change = fc.record({
  old: fc.tuple(cents, interval, count),
  new: fc.tuple(cents, interval, count),
  seats: fc.oneof(
    fc.constant([1, 1]),
    fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 2, maxLength: 2 }),
  ),
  isSameInterval: fc.boolean(),
  behavior: fc.constantFrom(...PRORATION_BEHAVIORS),
  startMs: fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) }),
  share: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
});

/** cents × part ÷ whole with halves up, by long division instead of one formula. */
function share(amount: bigint, part: bigint, whole: bigint): bigint {
  const floor = (amount * part) / whole;
  return (amount * part - floor * whole) * 2n >= whole ? floor + 1n : floor;
}

describe('a hundred thousand changes', () => {
  test('what is shown is what the lines add up to, to the cent; nobody is paid for changing', () => {
    let worked = 0;
    fc.assert(
      fc.property(change, (c) => {
        const price = priceOf('a', ...c.old);
        const next = priceOf(
          'b',
          c.new[0],
          ...((c.isSameInterval ? [c.old[1], c.old[2]] : [c.new[1], c.new[2]]) as [
            (typeof c.old)[1],
            number,
          ]),
        );
        const [seats, nextSeats] = c.seats as [number, number];
        const [oldCents, newCents] = [c.old[0] * BigInt(seats), c.new[0] * BigInt(nextSeats)];
        const subscription = begun(price, new Date(c.startMs), seats);
        const { currentPeriodStart: start, currentPeriodEnd: end } = subscription;
        const lengthMs = end!.getTime() - start!.getTime();
        const prorationDate = new Date(c.startMs + Math.floor(c.share * lengthMs));
        let plan: ReturnType<typeof planChange>;
        try {
          plan = planChange({
            subscription,
            current: { price, quantity: seats },
            next: { price: next, quantity: nextSeats },
            payments: [paidFor(subscription, oldCents)],
            ...UNDISCOUNTED,
            behavior: c.behavior,
            prorationDate,
            now: prorationDate,
          });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return;
        }
        worked++;
        const seconds = (date: Date) => BigInt(Math.floor(date.getTime() / 1_000));
        const whole = seconds(end!) - seconds(start!);
        const rest = seconds(end!) - seconds(prorationDate);
        const sum = sumOfLines(plan.lines);
        const shown = plan.chargeCents - plan.creditCents + plan.surplusCents;
        if (sum !== shown) expect.fail(`the lines say ${sum}, the sums ${shown}`);
        if (sum < 0n || plan.surplusCents < 0n) expect.fail(`less than nothing: ${sum}`);
        if (plan.surplusCents > 0n && sum !== 0n) expect.fail('asked for money and given some');
        const isCharged = plan.behavior === 'charge_now';
        if (isCharged || plan.behavior === 'reset') {
          if (plan.creditCents !== (oldCents * rest) / whole) expect.fail(`credit ${plan.creditCents}`);
          const charge = isCharged ? share(newCents, rest, whole) : newCents;
          if (plan.chargeCents !== charge) expect.fail(`charge ${plan.chargeCents}, not ${charge}`);
        } else if (plan.lines.length > 0 || sum !== 0n) expect.fail('charged for what costs nothing');
        const follows = plan.behavior === 'reset' ? periodAt(prorationDate, recurrenceOf(next), 0).end : end!;
        if (plan.nextInvoice.date.getTime() !== follows.getTime()) expect.fail('another next invoice');
        if (plan.nextInvoice.amountCents !== newCents) expect.fail('another price next time');
      }),
      { numRuns: 100_000 },
    );
    expect(worked).toBeGreaterThan(40_000);
  }, 120_000);
});
