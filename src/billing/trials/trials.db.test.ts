import { beforeAll, describe, expect, test } from 'vitest';
import {
  eventNames,
  expectSound,
  newCustomer,
  newLink,
  newPlan,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let plan: { id: string; productId: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId, { trialDays: 14 });
});

type Fields = Record<string, unknown>;
const create = (fields: Fields) =>
  w.shop.call('POST', '/api/v2/checkout-sessions', {
    projectId: w.projectId,
    mode: 'subscription',
    priceId: plan.id,
    ...fields,
  });
const read = (id: string) => readSubscription(w.shop, id);
const patch = (id: string, fields: Fields) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, fields);
const cancel = (id: string, fields: Fields = {}) =>
  w.shop.call('POST', `/api/v2/subscriptions/${id}/cancel`, fields);
/** A subscription that has just started its trial. */
async function start(externalCustomerId: string, fields: Fields = {}) {
  const { status, body } = await create({ externalCustomerId, ...fields });
  expect([status, body.status]).toEqual([201, 'complete']);
  return read(body.subscriptionId);
}
const rowsOf = async (table: string) => (await w.service.db.query(`select from ${table}`)).length;

describe('a trial', () => {
  test('starts without a wallet, gives access, is invoiced before it ends, and is then paid for from its end', async () => {
    const { body: session } = await create({ externalCustomerId: 'ada', customerEmail: 'ada@example.com' });
    expect(session).toMatchObject({
      status: 'complete',
      paymentStatus: 'paid',
      amountCents: 0,
      trialDays: 14,
    });
    expect(session.lineItems).toMatchObject([{ priceId: plan.id, quantity: 1, unitAmountCents: 0 }]);
    expect(await readSession(w.shop, session.id)).toEqual(session);
    const sub = await read(session.subscriptionId);
    const end = sub.currentPeriodEnd;
    expect(sub).toMatchObject({ status: 'trialing', hasAccess: true, trialEndsAt: end, accessUntil: end });
    expect(days(sub.currentPeriodStart, 14).toISOString()).toBe(end);
    const opened = await readInvoice(w.shop, session.invoiceId);
    expect(opened).toMatchObject({
      status: 'paid',
      totalCents: 0,
      periodStart: sub.currentPeriodStart,
      periodEnd: end,
    });
    expect(await eventNames(w.service, w.shop.id, sub.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'subscription.created',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
      'subscription.activated',
    ]);

    await w.moveTo(days(end, -3.6));
    expect((await read(sub.id)).renewalCheckoutUrl).toBeNull();
    await w.moveTo(days(end, -3.4));
    const asked = await read(sub.id);
    expect(asked).toMatchObject({ status: 'trialing', hasAccess: true });
    expect(asked.renewalCheckoutUrl).not.toBeNull();
    const [, first] = await invoicesOf(w.shop, sub.id);
    expect(first).toMatchObject({
      status: 'open',
      billingReason: 'subscription_cycle',
      totalCents: 1_000,
      dueAt: end,
      periodStart: end,
    });
    expect((await eventNames(w.service, w.shop.id, sub.id)).slice(7)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'subscription.renewal_due',
      'subscription.trial_will_end',
    ]);

    await w.payInvoice(first.id);
    expect(await read(sub.id)).toMatchObject({ status: 'trialing', accessUntil: first.periodEnd });
    await w.moveTo(days(end, 1));
    expect(await read(sub.id)).toMatchObject({
      status: 'active',
      trialEndsAt: end,
      currentPeriodStart: end,
      currentPeriodEnd: first.periodEnd,
    });
    expect((await eventNames(w.service, w.shop.id, sub.id)).at(-1)).toBe('subscription.renewed');
    await expectSound(w.service);
  });

  test('unpaid at its end: past due, paid in the grace period it is active from the trial’s end', async () => {
    const sub = await start('late payer');
    await w.moveTo(days(sub.trialEndsAt, 1));
    const late = await read(sub.id);
    expect(late).toMatchObject({ status: 'past_due', hasAccess: true });
    await w.payInvoice(late.latestInvoiceId);
    expect(await read(sub.id)).toMatchObject({ status: 'active', currentPeriodStart: sub.trialEndsAt });
    await expectSound(w.service);
  });

  test('never paid: canceled after the grace period, and back when paid within 30 days', async () => {
    const sub = await start('never pays');
    await w.moveTo(days(sub.trialEndsAt, 8));
    const ended = await read(sub.id);
    expect(ended).toMatchObject({ status: 'canceled', cancelReason: 'payment_overdue', hasAccess: false });
    await w.payInvoice(ended.latestInvoiceId);
    expect(await read(sub.id)).toMatchObject({ status: 'active', trialEndsAt: sub.trialEndsAt });
    await expectSound(w.service);
  });

  test('nobody works for a month: asked for late, with as long to pay as everybody', async () => {
    const sub = await start('slept');
    w.service.clock.setOffsetMs(days(sub.trialEndsAt, 30).getTime() - Date.now());
    await w.runDue();
    await w.runDue();
    const late = await read(sub.id);
    expect(late).toMatchObject({ status: 'past_due', hasAccess: true });
    expect(new Date(late.graceEndsAt) > w.service.clock.now()).toBe(true);
    await expectSound(w.service);
  });

  test('a session’s trialDays win over the price’s; 0 means none', async () => {
    const short = await start('short', { trialDays: 3 });
    expect(days(short.currentPeriodStart, 3).toISOString()).toBe(short.trialEndsAt);
    const { body: none } = await create({ externalCustomerId: 'no trial', trialDays: 0 });
    expect(none).toMatchObject({ status: 'open', amountCents: 1_000, trialDays: null });
    const without = await newPlan(w.shop, w.projectId);
    const given = await start('given', { priceId: without.id, trialDays: 30 });
    expect(given.status).toBe('trialing');
  });

  test('seats and a discount are for the first invoice, and the trial uses nothing of the discount up', async () => {
    const { body: discount } = await w.shop.call('POST', '/api/v2/discounts', {
      projectId: w.projectId,
      name: 'Welcome',
      percentOff: 50,
      duration: 'periods',
      durationPeriods: 2,
    });
    const { body: session } = await create({
      priceId: undefined,
      lineItems: [{ priceId: plan.id, quantity: 5 }],
      externalCustomerId: 'team',
      discountId: discount.id,
    });
    expect(session).toMatchObject({ status: 'complete', amountCents: 0, discountCents: 0 });
    const page = await (await fetch(w.service.url + new URL(session.checkoutUrl).pathname)).text();
    expect(page).toContain(
      'Free for 14 days, then $25.00 every month for 2 months, and after that $50.00 every month.',
    );
    const sub = await read(session.subscriptionId);
    expect(sub).toMatchObject({ quantity: 5, discountId: discount.id, discountPeriodsLeft: 2 });
    await w.moveTo(days(sub.trialEndsAt, -1));
    const [, first] = await invoicesOf(w.shop, sub.id);
    expect(first).toMatchObject({ subtotalCents: 5_000, discountCents: 2_500, totalCents: 2_500 });
    await w.payInvoice(first.id);
    expect((await read(sub.id)).discountPeriodsLeft).toBe(1);
    await expectSound(w.service);
  });

  test('a fee bought along with it is paid first, and starts the trial', async () => {
    const { body: session } = await create({
      priceId: undefined,
      lineItems: [{ name: 'Set-up', unitAmountCents: 700 }, { priceId: plan.id }],
      externalCustomerId: 'with fee',
    });
    expect(session).toMatchObject({ status: 'open', amountCents: 700, trialDays: 14 });
    expect((await read(session.subscriptionId)).status).toBe('incomplete');
    await w.payInvoice(session.invoiceId);
    expect(await read(session.subscriptionId)).toMatchObject({ status: 'trialing', hasAccess: true });
    await expectSound(w.service);
  });
});

describe('canceled in trial', () => {
  test('at once: nothing is owed and access ends', async () => {
    const sub = await start('quits now');
    await w.moveTo(days(sub.trialEndsAt, -1));
    const { latestInvoiceId } = await read(sub.id);
    expect((await cancel(sub.id, { atPeriodEnd: false })).body).toMatchObject({
      status: 'canceled',
      hasAccess: false,
    });
    expect((await readInvoice(w.shop, latestInvoiceId)).status).toBe('void');
    await expectSound(w.service);
  });

  test('at the end of the trial: access until then, no invoice, and it can be undone', async () => {
    const sub = await start('quits later');
    expect((await cancel(sub.id)).body).toMatchObject({
      status: 'trialing',
      cancelAtPeriodEnd: true,
      accessUntil: sub.trialEndsAt,
    });
    expect((await patch(sub.id, { cancelAtPeriodEnd: false })).body.cancelAtPeriodEnd).toBe(false);
    await cancel(sub.id);
    await w.moveTo(days(sub.trialEndsAt, 1));
    expect(await read(sub.id)).toMatchObject({ status: 'canceled', cancelReason: 'requested' });
    expect(await invoicesOf(w.shop, sub.id)).toHaveLength(1);
    await expectSound(w.service);
  });
});

describe('a plan change in trial', () => {
  test('is free, also to another interval, and the first invoice is for the new plan', async () => {
    const sub = await start('changes');
    await w.moveTo(days(sub.trialEndsAt, -2));
    const year = await newPlan(w.shop, w.projectId, { unitAmountCents: 9_000, recurringInterval: 'year' });
    const { body: preview } = await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/preview-change`, {
      priceId: year.id,
    });
    expect(preview).toMatchObject({
      prorationBehavior: 'none',
      amountDueCents: 0,
      lines: [],
      nextInvoice: { date: sub.trialEndsAt, amountCents: 9_000 },
    });
    const changed = await patch(sub.id, { priceId: year.id, previewToken: preview.previewToken });
    expect(changed.body).toMatchObject({
      status: 'trialing',
      priceId: year.id,
      trialEndsAt: sub.trialEndsAt,
    });
    await w.runDue();
    const [, old, first] = await invoicesOf(w.shop, sub.id);
    expect([old.status, first.status, first.totalCents]).toEqual(['void', 'open', 9_000]);
    expect(days(first.periodStart, 365) <= new Date(first.periodEnd)).toBe(true);
    await w.payInvoice(first.id);
    await w.moveTo(days(sub.trialEndsAt, 1));
    expect((await read(sub.id)).status).toBe('active');
    await expectSound(w.service);
  });

  test('400 for a charge or a reset; once the first period is paid, the change comes after it', async () => {
    const sub = await start('changes paid');
    const higher = await newPlan(w.shop, w.projectId, { unitAmountCents: 5_000 });
    for (const prorationBehavior of ['charge_now', 'reset']) {
      const { status, body } = await patch(sub.id, { priceId: higher.id, prorationBehavior });
      expect([status, body.error.message.split(' ')[0]]).toEqual([400, 'prorationBehavior']);
    }
    await w.moveTo(days(sub.trialEndsAt, -1));
    await w.payInvoice((await read(sub.id)).latestInvoiceId);
    const { body } = await patch(sub.id, { priceId: higher.id });
    expect(body).toMatchObject({ priceId: plan.id, pendingChange: { prorationBehavior: 'next_period' } });
    await expectSound(w.service);
  });
});

describe('one trial for each customer and product', () => {
  test('50 at once: one trial; where the price gives it, the others pay', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create({ externalCustomerId: 'rival' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers.filter(({ body }) => body.trialDays === 14)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.status === 'open' && body.amountCents === 1_000)).toHaveLength(
      49,
    );
    await expectSound(w.service);
  });

  test('60 at once that ask for it: one trial, and 409 for the others, who leave nothing behind', async () => {
    const { id: customerId } = await newCustomer(w.shop, w.projectId, { externalCustomerId: 'asks' });
    const before = await rowsOf('checkout_sessions');
    const answers = await Promise.all(Array.from({ length: 60 }, () => create({ customerId, trialDays: 7 })));
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([1, 59]);
    expect(refused[0]!.body.error).toMatchObject({
      code: 'INVALID_STATE',
      message: 'This customer has already had a trial of this product.',
    });
    expect(await rowsOf('checkout_sessions')).toBe(before + 1);
  });

  test('known by the e-mail address too, whatever its case; another product has a trial of its own', async () => {
    await start('eve', { customerEmail: 'Eve@Example.com' });
    const { body } = await create({ customerName: 'Eve', customerEmail: 'eve@example.com' });
    expect(body).toMatchObject({ status: 'open', trialDays: null });
    const other = await newPlan(w.shop, w.projectId, { trialDays: 5 });
    await start('eve', { priceId: other.id, customerEmail: 'eve@example.com' });
  });

  test('another price of the product is the same product; a checkout that closes unpaid gives it back', async () => {
    const fee = {
      priceId: undefined,
      lineItems: [{ priceId: plan.id }, { name: 'Fee', unitAmountCents: 100 }],
    };
    const { body: first } = await create({ externalCustomerId: 'wavers', ...fee });
    const second = await create({ externalCustomerId: 'wavers', ...fee });
    expect(second.body.trialDays).toBeNull();
    await w.shop.call('POST', `/api/v2/checkout-sessions/${first.id}/cancel`);
    const third = await create({ externalCustomerId: 'wavers', ...fee });
    expect(third.body.trialDays).toBe(14);
    // Expired, it is given back as well; paid late, it has its trial after all.
    await w.moveTo(days(w.service.clock.now(), 2));
    expect((await readSession(w.shop, third.body.id)).status).toBe('expired');
    await w.payInvoice(third.body.invoiceId);
    expect((await read(third.body.subscriptionId)).status).toBe('trialing');
    const yearly = { projectId: w.projectId, productId: plan.productId, unitAmountCents: 5_000 };
    const { body: year } = await w.shop.call('POST', '/api/v2/prices', {
      ...yearly,
      billingMode: 'subscription',
      recurringInterval: 'year',
      trialDays: 30,
    });
    expect((await create({ externalCustomerId: 'wavers', priceId: year.id })).body.trialDays).toBeNull();
    await expectSound(w.service);
  });

  const FEE = { name: 'Fee', unitAmountCents: 700 };
  const withFee = () => [{ priceId: plan.id }, FEE];

  test('paid late after another trial has started: no second one, and the money is account credit', async () => {
    const lineItems = withFee();
    const { body: late } = await create({ externalCustomerId: 'two', priceId: undefined, lineItems });
    expect(late.trialDays).toBe(14);
    await w.moveTo(days(w.service.clock.now(), 2));
    expect((await readSession(w.shop, late.id)).status).toBe('expired');
    await start('two');
    await w.payInvoice(late.invoiceId);
    await w.runDue();
    expect((await read(late.subscriptionId)).status).toBe('incomplete_expired');
    expect(await readSession(w.shop, late.id)).toMatchObject({
      ...{ status: 'canceled', paymentStatus: 'underpaid', amountReceivedCents: 700 },
    });
    expect(await readInvoice(w.shop, late.invoiceId)).toMatchObject({ status: 'void' });
    expect((await readCustomer(w.shop, late.customerId)).accountCreditCents).toBe(700);
    const { body } = await w.shop.call('GET', '/api/v2/exceptions?status=open');
    expect(body.data[0]).toMatchObject({ paymentIntentId: late.paymentIntentId, amountCents: 700 });
    await expectSound(w.service);
  });

  test('the same for an e-mail address, across customers', async () => {
    const customerEmail = 'late@two.example';
    const { body: late } = await create({ priceId: undefined, lineItems: withFee(), customerEmail });
    expect(late.trialDays).toBe(14);
    await w.moveTo(days(w.service.clock.now(), 2));
    await start('two by address', { customerEmail: 'Late@two.example' });
    await w.payInvoice(late.invoiceId);
    await w.runDue();
    expect((await readSession(w.shop, late.id)).status).toBe('canceled');
    expect((await read(late.subscriptionId)).status).toBe('incomplete_expired');
    await expectSound(w.service);
  });

  test('of a late payment and a new checkout at the same moment, one has the trial', async () => {
    for (let round = 0; round < 5; round++) {
      const externalCustomerId = `late rival ${round}`;
      const lineItems = withFee();
      const { body: late } = await create({ externalCustomerId, priceId: undefined, lineItems });
      await w.moveTo(days(w.service.clock.now(), 2));
      const [, { body: other }] = await Promise.all([
        w.payInvoice(late.invoiceId),
        create({ externalCustomerId }),
      ]);
      const isLateTrial = (await read(late.subscriptionId)).status === 'trialing';
      expect(isLateTrial).toBe(other.trialDays === null);
    }
    await w.runDue();
    await expectSound(w.service);
  });
});

describe('by a payment link', () => {
  test('an address is required, the trial starts at once, and a second time it is paid for', async () => {
    const { paymentLink } = await newLink(w.shop, w.projectId, {
      productName: 'Club',
      billingMode: 'subscription',
      recurringInterval: 'month',
      trialDays: 14,
    });
    const checkOut = (body: Fields) =>
      w.shop.call('POST', `/api/v2/payment-links/${paymentLink.publicToken}/checkout`, body);
    const nameless = await checkOut({});
    expect([nameless.status, nameless.body.error.message]).toEqual([
      400,
      'customerEmail is required to start a trial',
    ]);
    const { body: shown } = await w.shop.call('GET', `/api/v2/payment-links/${paymentLink.publicToken}`);
    expect(shown).toMatchObject({ trialDays: 14, collectCustomerEmail: true });
    const { body: first } = await checkOut({ customerEmail: 'bob@example.com' });
    const session = await readSession(w.shop, first.sessionId);
    expect(session).toMatchObject({ status: 'complete', trialDays: 14, amountCents: 0 });
    expect(await readCustomer(w.shop, session.customerId)).toMatchObject({ email: 'bob@example.com' });
    expect((await read(session.subscriptionId)).status).toBe('trialing');
    const { body: second } = await checkOut({ customerEmail: 'BOB@example.com' });
    expect(await readSession(w.shop, second.sessionId)).toMatchObject({ status: 'open', trialDays: null });
    await expectSound(w.service);
  });

  test('20 at once: everyone’s trial starts, because counting one does not wait for another that waits for it', async () => {
    const link = async (fields: Fields) =>
      (
        await newLink(w.shop, w.projectId, {
          productName: 'Crowd',
          billingMode: 'subscription',
          recurringInterval: 'month',
          trialDays: 7,
          ...fields,
        })
      ).paymentLink;
    const rush = async ({ publicToken }: { publicToken: string }) => {
      const buyers = Array.from({ length: 20 }, (_, i) => ({ customerEmail: `n${i}@crowd.example` }));
      const path = `/api/v2/payment-links/${publicToken}/checkout`;
      const answers = await Promise.all(buyers.map((body) => w.shop.call('POST', path, body)));
      return answers.map(({ status }) => status).sort();
    };
    expect(await rush(await link({}))).toEqual(Array(20).fill(201));
    const few = await link({});
    await w.shop.call('PATCH', `/api/v2/payment-links/${few.id}`, { maxPayments: 3 });
    const statuses = await rush(few);
    expect(statuses.slice(0, 3)).toEqual([201, 201, 201]);
    expect(statuses.slice(3).every((status) => status === 409 || status === 410)).toBe(true);
    await expectSound(w.service);
  });
});

test('400 with the field’s name, and nothing is written', async () => {
  const { body: product } = await w.shop.call('POST', '/api/v2/products', {
    projectId: w.projectId,
    name: 'Bad',
  });
  const tables = ['prices', 'checkout_sessions', 'trials', 'subscriptions', 'customers'];
  const before = await Promise.all(tables.map(rowsOf));
  const price = { projectId: w.projectId, productId: product.id, unitAmountCents: 500 };
  const monthly = { ...price, billingMode: 'subscription', recurringInterval: 'month' };
  const bad = async (path: string, body: Fields) => {
    const answer = await w.shop.call('POST', `/api/v2/${path}`, body);
    expect([body, answer.status, answer.body.error.message.split(' ')[0]]).toEqual([body, 400, 'trialDays']);
  };
  for (const trialDays of [-1, 0, 731, 1.5, '14']) await bad('prices', { ...monthly, trialDays });
  await bad('prices', { ...price, billingMode: 'one_time', trialDays: 14 });
  await bad('prices', { ...price, billingMode: 'balance_top_up', creditAmount: 5, trialDays: 14 });
  const session = {
    projectId: w.projectId,
    mode: 'subscription',
    priceId: plan.id,
    externalCustomerId: 'bad',
  };
  for (const trialDays of [-1, 731, 2.5, '14']) await bad('checkout-sessions', { ...session, trialDays });
  const once = { projectId: w.projectId, mode: 'one_time', amountCents: 500 };
  await bad('checkout-sessions', { ...once, trialDays: 14 });
  expect(await Promise.all(tables.map(rowsOf))).toEqual(before);
});

test('the overview counts trials apart, and no revenue before the first payment', async () => {
  const { body: before } = await w.shop.call('GET', '/api/v2/billing/overview');
  await start('counted');
  const { body: after } = await w.shop.call('GET', '/api/v2/billing/overview');
  expect(after.subscriptions.trialing).toBe(before.subscriptions.trialing + 1);
  expect(after.monthlyRecurringCents).toBe(before.monthlyRecurringCents);
});
