import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newPlan,
  newProject,
  newSession,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

type Fields = Record<string, unknown>;
type Behavior = 'none' | 'inclusive' | 'exclusive';

const FRENCH_BUSINESS = {
  ...{ country: 'FR', isBusiness: true },
  taxIds: [{ type: 'eu_vat', value: 'FR40303265045', status: 'verified' }],
};
const GERMAN = { country: 'DE', isBusiness: false, taxIds: [] };

/** A project of its own with a German seller, and one tax rate that holds at first. */
async function germanShop(percent: number) {
  const seller = {
    legalName: 'Muster GmbH',
    country: 'DE',
    taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
  };
  const projectId = (await newProject(w.shop, { seller })).id;
  const rate = async (percent: number, isDefault: boolean) =>
    call('POST', '/tax-rates', { projectId, name: 'VAT', percent, country: 'DE', isDefault });
  const rates = new Map([[percent, (await rate(percent, true)).id]]);
  return {
    projectId,
    plan: (unitAmountCents: number, taxBehavior: Behavior) =>
      newPlan(w.shop, projectId, { unitAmountCents, taxBehavior, recurringInterval: 'year' }),
    async taxAt(percent: number) {
      const id = rates.get(percent) ?? (await rate(percent, false)).id;
      await call('PATCH', `/tax-rates/${id}`, { isDefault: true });
    },
    async buy(priceId: string, person: Fields) {
      const { id: customerId } = await newCustomer(w.shop, projectId, person);
      const session = await newSession(w.shop, projectId, { mode: 'subscription', priceId, customerId });
      await w.payInvoice(session.invoiceId);
      const paid = await readInvoice(w.shop, session.invoiceId);
      return {
        sub: await readSubscription(w.shop, session.subscriptionId),
        customerId,
        paidCents: paid.totalCents,
      };
    },
  };
}

async function call(method: string, path: string, body: Fields) {
  const answer = await w.shop.call(method, `/api/v2${path}`, body);
  expect([answer.status, answer.text]).toEqual([
    method === 'POST' ? (path.includes('preview') ? 200 : 201) : 200,
    answer.text,
  ]);
  return answer.body;
}

/** Changes as previewed for the whole period, and starts a new one. */
async function reset({ id: subscriptionId, currentPeriodStart }: Fields, priceId: string) {
  const body = { priceId, prorationBehavior: 'reset' };
  const { previewToken, ...shown } = await call('POST', `/subscriptions/${subscriptionId}/preview-change`, {
    ...body,
    prorationDate: currentPeriodStart,
  });
  const changed = await call('PATCH', `/subscriptions/${subscriptionId}`, { ...body, previewToken });
  const invoice = await readInvoice(w.shop, changed.pendingChange?.invoiceId ?? changed.latestInvoiceId);
  expect(invoice).toMatchObject({ lines: shown.lines, totalCents: shown.amountDueCents });
  return { shown, invoice };
}

test.each<
  [
    string,
    number,
    Behavior,
    Fields,
    (shop: Awaited<ReturnType<typeof germanShop>>, of: Fields) => Promise<unknown>,
  ]
>([
  [
    'a foreign business becomes a person here',
    19,
    'exclusive',
    FRENCH_BUSINESS,
    (_, { customerId }) => call('PATCH', `/customers/${customerId}`, GERMAN),
  ],
  [
    'a person here becomes a foreign business',
    19,
    'exclusive',
    GERMAN,
    (_, { customerId }) => call('PATCH', `/customers/${customerId}`, FRENCH_BUSINESS),
  ],
  ['the rate rises', 7, 'exclusive', GERMAN, (shop) => shop.taxAt(19)],
  ['the rate falls', 19, 'exclusive', GERMAN, (shop) => shop.taxAt(7)],
  [
    'tax is turned on',
    19,
    'none',
    GERMAN,
    (_, { priceId }) => call('PATCH', `/prices/${priceId}`, { taxBehavior: 'exclusive' }),
  ],
])('unused time goes back with the tax that was paid: %s', async (_, percent, behavior, person, happens) => {
  const shop = await germanShop(percent);
  const [dear, cheap] = [await shop.plan(10_000, behavior), await shop.plan(1_000, 'exclusive')];
  const { sub, customerId, paidCents } = await shop.buy(dear.id, person);
  await happens(shop, { customerId, priceId: dear.id });
  const { invoice } = await reset(sub, cheap.id);
  const { lines, totalCents } = invoice;
  const bought = lines.at(-1);
  const { accountCreditCents } = await readCustomer(w.shop, customerId);
  expect(totalCents).toBe(0);
  expect(accountCreditCents + bought.amountCents + bought.taxCents).toBe(paidCents);
  await expectSound(w.service);
});

test.each<[number, Behavior, number]>([
  [1_190, 'inclusive', 1_001],
  [1_190, 'inclusive', 500],
  [5_000, 'none', 500],
])('%i %s to %i with tax on top: billed as previewed, to the cent', async (before, behavior, after) => {
  const shop = await germanShop(19);
  const [old, next] = [await shop.plan(before, behavior), await shop.plan(after, 'exclusive')];
  const { sub, customerId, paidCents } = await shop.buy(old.id, GERMAN);
  const { invoice, shown } = await reset(sub, next.id);
  const costs = Math.round(after * 1.19);
  const { accountCreditCents } = await readCustomer(w.shop, customerId);
  expect(invoice.totalCents - accountCreditCents).toBe(costs - paidCents);
  expect(shown.accountCreditCents).toBe(accountCreditCents);
  const pdf = await fetch(`${w.service.url}/api/v2/invoices/${invoice.id}/pdf`, {
    headers: { authorization: `Bearer ${w.shop.key}` },
  });
  expect(pdf.status).toBe(200);
  await expectSound(w.service);
});

test.each([1_822, 1_823, 1_999, 450, 1, 11_000])('not a cent is lost in a change to %i', async (cents) => {
  const shop = await germanShop(7);
  const [old, next] = [await shop.plan(11_665, 'exclusive'), await shop.plan(cents, 'none')];
  const { sub, paidCents } = await shop.buy(old.id, GERMAN);
  const body = { priceId: next.id, prorationBehavior: 'reset', prorationDate: sub.currentPeriodStart };
  const shown = await call('POST', `/subscriptions/${sub.id}/preview-change`, body);
  expect([paidCents, shown.amountDueCents, shown.accountCreditCents]).toEqual([12_482, 0, 12_482 - cents]);
});
