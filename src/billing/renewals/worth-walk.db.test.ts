import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let plans: string[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  const of = (unitAmountCents: number, recurringInterval: string, recurringIntervalCount = 1) =>
    newPlan(w.shop, w.projectId, { unitAmountCents, recurringInterval, recurringIntervalCount });
  const made = [of(1_000, 'day', 30), of(2_377, 'day', 30), of(9_999, 'year'), of(313, 'week')];
  plans = (await Promise.all(made)).map(({ id }) => id);
});

const plan = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), plan, behavior: fc.constantFrom('auto', 'reset') }),
  fc.record({ kind: fc.constant('give' as const), plan, quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    ...{ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 400 }) },
    pays: fc.constantFrom('all', 'all', 'part', 'nothing'),
  }),
  fc.record({ kind: fc.constant('lapse' as const), isPart: fc.boolean() }),
  fc.record({ kind: fc.constant('spend' as const), percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant('payLate' as const) }),
  fc.record({ kind: fc.constant('gift' as const), cents: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({
    ...{ kind: fc.constant('refund' as const), nth: fc.nat(9), cents: fc.integer({ min: 1, max: 5_000 }) },
    isTaken: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('cancel' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

let walks = 0;

/** One customer, what they paid and were given, and all that they have for it: it only shrinks. */
async function walk(steps: Step[]) {
  const sub = await w.subscribe(plans[0]!, `walk ${++walks}`);
  let [paid, gifts, spent, before] = [1_000, 0, 0, 0];
  const paidInvoices = [sub.latestInvoiceId];
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  const refunds: any[] = [];
  const path = `/api/v2/subscriptions/${sub.id}`;
  const adjust = (deltaCents: number, reason: string) =>
    w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, { deltaCents, reason });

  const pay = async (invoiceId: string, cents: number) => {
    await w.payInvoice(invoiceId, cents);
    paid += cents;
    paidInvoices.push(invoiceId);
  };
  const waitFor = async (hours: number, pays: string) => {
    await w.moveTo(new Date(w.service.clock.now().getTime() + hours * 3_600_000));
    const { renewalCheckoutUrl, latestInvoiceId, status } = await readSubscription(w.shop, sub.id);
    const { status: invoiced, amountDueCents } = await readInvoice(w.shop, latestInvoiceId);
    if (!renewalCheckoutUrl || status === 'canceled' || invoiced !== 'open' || pays === 'nothing') return;
    const cents = pays === 'part' ? Math.floor(amountDueCents / 2) : amountDueCents;
    if (cents > 0) await pay(latestInvoiceId, cents);
  };
  /** Pays what was not paid in time, for as long as that can be. */
  const payLate = async () => {
    const { latestInvoiceId, status } = await readSubscription(w.shop, sub.id);
    const { status: invoiced, totalCents, amountPaidCents } = await readInvoice(w.shop, latestInvoiceId);
    if (status === 'canceled' && invoiced === 'uncollectible' && totalCents > amountPaidCents)
      await pay(latestInvoiceId, totalCents - amountPaidCents);
  };
  for (const each of steps) {
    if (each.kind === 'change') {
      const body = { priceId: plans[each.plan], prorationBehavior: each.behavior };
      const { status, body: changed } = await w.shop.call('PATCH', path, body);
      expect([200, 400, 409]).toContain(status);
      const pending = status === 200 && changed.pendingChange;
      if (pending?.invoiceId && pending.amountDueCents > 0)
        await pay(pending.invoiceId, pending.amountDueCents);
    } else if (each.kind === 'give') {
      const body = { priceId: plans[each.plan], quantity: each.quantity, prorationBehavior: 'none' };
      expect([200, 400, 409]).toContain((await w.shop.call('PATCH', path, body)).status);
    } else if (each.kind === 'wait') {
      await waitFor(each.hours, each.pays);
    } else if (each.kind === 'lapse') {
      const { currentPeriodEnd } = await readSubscription(w.shop, sub.id);
      const hours = (days(currentPeriodEnd, -1).getTime() - w.service.clock.now().getTime()) / 3_600_000;
      if (hours > 0) await waitFor(hours, each.isPart ? 'part' : 'nothing');
      await waitFor(9 * 24, 'nothing');
    } else if (each.kind === 'payLate') {
      await payLate();
    } else if (each.kind === 'spend') {
      const { accountCreditCents } = await readCustomer(w.shop, sub.customerId);
      const cents = Math.ceil((accountCreditCents * each.percent) / 100);
      if (cents > 0) expect((await adjust(-cents, 'spent')).status).toBe(201);
      spent += cents;
    } else if (each.kind === 'gift') {
      await adjust(each.cents, 'gift');
      gifts += each.cents;
    } else if (each.kind === 'refund') {
      const invoiceId = paidInvoices[each.nth % paidInvoices.length];
      const effects = { takeBackCredit: each.isTaken };
      const body = { invoiceId, reason: 'other', amountCents: each.cents, effects };
      const { status, body: made } = await w.shop.call('POST', '/api/v2/refunds', body);
      expect([201, 400, 409]).toContain(status);
      if (status === 201) refunds.push(made);
    } else if (refunds.length > 0) {
      expect((await w.shop.call('POST', `/api/v2/refunds/${refunds.pop().id}/cancel`)).status).toBe(200);
    }
    const { accountCreditCents } = await readCustomer(w.shop, sub.customerId);
    const has = accountCreditCents + spent + (await heldBy(sub.id)) + (await restOf(path));
    const gained = has - paid - gifts;
    if (gained > 0) expect.fail(`${has} of ${paid} paid and ${gifts} given`);
    // A refund may return what was used, and a plan that is given can be worth less than what was paid.
    const mayGain = each.kind === 'refund' || each.kind === 'cancel' || each.kind === 'give';
    if (!mayGain && gained > before) expect.fail(`${each.kind} won ${gained - before}`);
    before = gained;
  }
}

/** Sums what was promised back, and what invoices have that bought nothing yet: parts, credit of open ones, periods paid ahead. */
async function heldBy(subscriptionId: string): Promise<number> {
  const [row] = await w.service.db.query<{ cents: bigint }>(
    `select coalesce(sum(back + greatest(0, case
              when v.status = 'open' then v.credit_applied_cents + v.amount_paid_cents - back
              when v.status in ('void', 'uncollectible') then v.amount_paid_cents - back
              when v.billing_reason <> 'subscription_change' and v.period_start >= s.current_period_end
                then least(v.amount_paid_cents, v.total_cents) - back + v.credit_applied_cents
              else 0 end)), 0)::bigint as cents
       from subscriptions s join invoices v on v.merchant_id = s.merchant_id and v.subscription_id = s.id
       cross join lateral (select coalesce(sum(r.amount_cents), 0) as back from refunds r
         where r.merchant_id = v.merchant_id and r.invoice_id = v.id and r.status not in ('canceled', 'expired')) b
      where s.id = $1`,
    [subscriptionId],
  );
  return Number(row!.cents);
}

/** Returns what the rest of the period is worth, as a change that starts another period would count it. */
async function restOf(path: string): Promise<number> {
  const { body: sub } = await w.shop.call('GET', path);
  const priceId = plans.find((id) => id !== sub.priceId);
  const body = { priceId, prorationBehavior: 'reset' };
  const { status, body: shown } = await w.shop.call('POST', `${path}/preview-change`, body);
  return status === 200 ? shown.creditCents : 0;
}

/** Credit that came back is spent before its renewal is paid late; credit that was given is used again before its money is refunded. */
const EXAMPLES: Step[][] = [
  [
    { kind: 'gift', cents: 700 },
    { kind: 'lapse', isPart: true },
    { kind: 'spend', percent: 90 },
    { kind: 'payLate' },
    { kind: 'change', plan: 3, behavior: 'reset' },
  ],
  [
    { kind: 'change', plan: 3, behavior: 'reset' },
    { kind: 'change', plan: 2, behavior: 'reset' },
    { kind: 'refund', nth: 0, cents: 1_000, isTaken: false },
    { kind: 'wait', hours: 200, pays: 'all' },
    { kind: 'change', plan: 0, behavior: 'reset' },
    { kind: 'refund', nth: 1, cents: 5_000, isTaken: false },
    { kind: 'change', plan: 3, behavior: 'reset' },
  ],
];

test('whatever is changed, given, spent, refunded, waited for and paid late: nobody has more than was paid and given, nor wins any', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), walk), {
    numRuns: 12,
    endOnFailure: true,
    examples: EXAMPLES.map((steps) => [steps]),
  });
  await expectSound(w.service);
}, 120_000);
