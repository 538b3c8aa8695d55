import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { INTERVALS } from '../catalog/price.ts';

const CASES = 36;
let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

const below = (limit: number) => Math.floor(Math.random() * limit);

/** Changes of all kinds, some after another change that still waits, some with account credit. */
test(`what is previewed is billed to the cent, ${CASES} times over HTTP`, async () => {
  const plans = [];
  for (let n = 0; n < 10; n++) {
    const recurring = n < 6 ? { recurringInterval: 'month' } : { recurringInterval: INTERVALS[n - 6] };
    plans.push(await newPlan(w.shop, w.projectId, { ...recurring, unitAmountCents: 1 + below(100_000) }));
  }
  const kinds = new Set<string>();
  for (let n = 0; n < CASES; n++) {
    const [from, ...others] = [...plans].sort(() => Math.random() - 0.5);
    const sub = await w.subscribe(from.id, `case ${n}`);
    const path = `/api/v2/subscriptions/${sub.id}`;
    if (n % 3 === 0) {
      const adjust = { deltaCents: 1 + below(30_000), reason: 'gift' };
      await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, adjust);
    }
    if (n % 4 === 0) await w.shop.call('PATCH', path, { priceId: others[1].id });
    const { priceId: current } = await readSubscription(w.shop, sub.id);
    const to = others.find(({ id }) => id !== current && id !== others[1].id);
    const shown = await w.shop.call('POST', `${path}/preview-change`, { priceId: to.id });
    const note = `${n}: ${from.unitAmountCents} ${from.recurringInterval} to ${to.unitAmountCents} ${to.recurringInterval}`;
    expect([note, shown.status, shown.text]).toEqual([note, 200, shown.text]);
    const held = (await readSubscription(w.shop, sub.id)).pendingChange?.invoiceId;
    const returned = held ? (await readInvoice(w.shop, held)).creditAppliedCents : 0;
    const before = (await readCustomer(w.shop, sub.customerId)).accountCreditCents + returned;
    const { previewToken, ...preview } = shown.body;
    const changed = await w.shop.call('PATCH', path, { priceId: to.id, previewToken });
    expect([note, changed.status]).toEqual([note, 200]);
    kinds.add(preview.prorationBehavior);
    const after = (await readCustomer(w.shop, sub.customerId)).accountCreditCents;
    if (preview.prorationBehavior === 'next_period') {
      expect([note, after, preview.amountDueCents]).toEqual([note, before, 0]);
      continue;
    }
    const invoice = await readInvoice(
      w.shop,
      changed.body.pendingChange?.invoiceId ?? changed.body.latestInvoiceId,
    );
    expect([note, invoice]).toMatchObject([
      note,
      {
        lines: preview.lines,
        creditAppliedCents: preview.accountCreditAppliedCents,
        totalCents: preview.amountDueCents,
        status: preview.amountDueCents === 0 ? 'paid' : 'open',
      },
    ]);
    const surplus = preview.creditCents - preview.chargeCents;
    const given = preview.prorationBehavior === 'reset' && surplus > 0 ? surplus : 0;
    expect([note, after]).toEqual([note, before - preview.accountCreditAppliedCents + given]);
    if (changed.body.pendingChange) await w.payInvoice(invoice.id);
    expect([note, (await readSubscription(w.shop, sub.id)).priceId]).toEqual([note, to.id]);
  }
  expect([...kinds].sort()).toEqual(['charge_now', 'next_period', 'reset']);
  await expectSound(w.service);
}, 120_000);
