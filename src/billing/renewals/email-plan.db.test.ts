import { beforeAll, expect, test } from 'vitest';
import { expectSound, newPlan, newSession, readSubscription } from '../../../test/support/billing.ts';
import { visit } from '../../../test/support/portal.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { composeEmail } from '../../email/compose-email.ts';
import { updateLeases } from '../../email/queries.ts';
import { realNow } from '../../platform/lib/clock.ts';

let w: SubscriptionWorld;
let plan: { id: string };
let pricier: { id: string };
let cheaper: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  w.service.db.queuesEmails = true;
  plan = await newPlan(w.shop, w.projectId);
  pricier = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
  cheaper = await newPlan(w.shop, w.projectId, { unitAmountCents: 500 });
});

let people = 0;
async function subscribed(language = 'en') {
  const name = `person-${people++}`;
  const sub = await w.subscribe(plan.id, name, { customerEmail: `${name}@example.com`, customerName: 'Ada' });
  await w.shop.call('PATCH', `/api/v2/customers/${sub.customerId}`, { language });
  return sub;
}
const pathOf = (id: string) => `/api/v2/subscriptions/${id}`;
const change = (id: string, body: object) => w.shop.call('PATCH', pathOf(id), body);
const emailsOf = (id: string) =>
  w.service.db.query<{ kind: string; facts: Record<string, string | null> }>(
    'select kind, facts from emails where subscription_id = $1 order by number, id',
    [id],
  );
const kindsOf = async (id: string) => (await emailsOf(id)).map(({ kind }) => kind);

test('a change that costs money: first to pay, then changed when it is paid', async () => {
  const sub = await subscribed();
  const { pendingChange } = (await change(sub.id, { priceId: pricier.id })).body;
  expect(await emailsOf(sub.id)).toMatchObject([
    {
      kind: 'plan_change_to_pay',
      facts: {
        payUrl: pendingChange.checkoutUrl,
        dueCents: String(pendingChange.amountDueCents),
        at: pendingChange.expiresAt,
      },
    },
  ]);
  await w.payInvoice(pendingChange.invoiceId);
  expect(await kindsOf(sub.id)).toEqual(['plan_change_to_pay', 'plan_changed']);
  await expectSound(w.service);
});

test('a change with the next period, withdrawn again, and one at once without money', async () => {
  const sub = await subscribed();
  await change(sub.id, { priceId: cheaper.id });
  await w.shop.call('DELETE', `${pathOf(sub.id)}/pending-change`);
  await change(sub.id, { priceId: cheaper.id, prorationBehavior: 'none' });
  expect(await kindsOf(sub.id)).toEqual(['plan_change_planned', 'plan_change_withdrawn', 'plan_changed']);
  const [planned] = await emailsOf(sub.id);
  expect(planned!.facts.at).toBe(sub.currentPeriodEnd);
  await expectSound(w.service);
});

test('a change that account credit pays for', async () => {
  const sub = await subscribed();
  const gift = { deltaCents: 10_000, reason: 'gift' };
  await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, gift);
  await change(sub.id, { priceId: pricier.id });
  expect(await kindsOf(sub.id)).toEqual(['plan_changed']);
});

test('a cancellation and its end, once each, however often it is requested', async () => {
  const sub = await subscribed();
  const cancel = () => w.shop.call('POST', `${pathOf(sub.id)}/cancel`, { atPeriodEnd: true });
  expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 409]);
  await change(sub.id, { cancelAtPeriodEnd: false });
  await change(sub.id, { cancelAtPeriodEnd: false });
  await change(sub.id, { cancelAtPeriodEnd: true });
  expect(await kindsOf(sub.id)).toEqual(['cancellation_set', 'cancellation_undone', 'cancellation_set']);
  const [set] = await emailsOf(sub.id);
  expect(set!.facts.at).toBe((await readSubscription(w.shop, sub.id)).accessUntil);
});

test('an end at once is announced, with its moment; one that never began is not', async () => {
  const sub = await subscribed();
  const { canceledAt } = (await w.shop.call('POST', `${pathOf(sub.id)}/cancel`, { atPeriodEnd: false })).body;
  expect(await emailsOf(sub.id)).toMatchObject([{ kind: 'subscription_ended', facts: { at: canceledAt } }]);
  const unpaid = await newSession(w.shop, w.projectId, {
    ...{
      mode: 'subscription',
      priceId: plan.id,
      externalCustomerId: 'never paid',
      customerEmail: 'n@example.com',
    },
  });
  const { status } = await w.shop.call('POST', `${pathOf(unpaid.subscriptionId)}/cancel`);
  expect([status, await kindsOf(unpaid.subscriptionId)]).toEqual([200, []]);
});

test('the same in the portal', async () => {
  const sub = await subscribed();
  const visitor = await visit(w.service, w.shop, w.projectId, sub.customerId);
  await visitor.call('POST', `/subscriptions/${sub.id}/cancel`);
  await visitor.call('POST', `/subscriptions/${sub.id}/resume`);
  expect(await kindsOf(sub.id)).toEqual(['cancellation_set', 'cancellation_undone']);
});

test('a refused change queues nothing, and neither does a customer without an address', async () => {
  const sub = await w.subscribe(plan.id, 'unreachable');
  await w.shop.call('POST', `${pathOf(sub.id)}/cancel`, { atPeriodEnd: true });
  const other = await subscribed();
  expect((await change(other.id, { priceId: pricier.id, previewToken: 'wrong' })).status).toBe(400);
  expect([await kindsOf(sub.id), await kindsOf(other.id)]).toEqual([[], []]);
});

test.each([
  ['en', ['Your subscription is canceled', 'Your subscription has ended'], 'ltr'],
  ['de', ['Ihr Abonnement ist gekündigt', 'Ihr Abonnement ist beendet'], 'ltr'],
  ['es', ['Su suscripción está cancelada', 'Su suscripción ha terminado'], 'ltr'],
  ['fr', ['Votre abonnement est résilié', 'Votre abonnement est terminé'], 'ltr'],
  ['ar', ['أُلغي اشتراكك', 'انتهى اشتراكك'], 'rtl'],
])('it is written in the customer’s language: %s', async (language, subjects, direction) => {
  const sub = await subscribed(language);
  await w.service.db.query('delete from emails');
  await w.shop.call('POST', `${pathOf(sub.id)}/cancel`, { atPeriodEnd: true });
  await w.shop.call('POST', `${pathOf(sub.id)}/cancel`, { atPeriodEnd: false });
  const now = new Date(realNow().getTime() + 1_000);
  const claimed = await updateLeases(w.service.db, 10, { now, leaseUntil: days(now.toISOString(), 1) });
  const messages = claimed.map((email) => composeEmail(email, 'https://pay.example'));
  expect(messages.map(({ subject }) => subject)).toEqual(subjects.map((own) => expect.stringContaining(own)));
  for (const { html, text } of messages) {
    expect(html.includes('dir="rtl"')).toBe(direction === 'rtl');
    expect(text).not.toContain('undefined');
  }
});
