import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newLink,
  newSession,
  readCustomer,
  readSession,
} from './support/billing.ts';
import { visit } from './support/portal.ts';
import { readPdf } from './support/read-pdf.ts';
import { call } from './support/service.ts';
import { days, invoicesOf, type SubscriptionWorld, subscriptionWorld } from './support/subscriptions.ts';

/** Strangers who type somebody else's address, wherever they can type one. They get and spend nothing of that person's. */

type Fields = Record<string, unknown>;

let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

const MONTHLY = { billingMode: 'subscription', recurringInterval: 'month', unitAmountCents: 1_000 };

const linkOf = async (fields: Fields): Promise<string> =>
  (await newLink(w.shop, w.projectId, { collectCustomerEmail: true, ...fields })).paymentLink.publicToken;

/** Starts a checkout without a key, as anybody can. */
async function start(link: string, customerEmail: string) {
  const url = `${w.service.url}/api/v2/payment-links/${link}/checkout`;
  const { status, body } = await call(url, 'POST', { customerEmail });
  expect(status).toBe(201);
  return readSession(w.shop, body.sessionId);
}

async function buy(link: string, customerEmail: string) {
  const session = await start(link, customerEmail);
  await w.payInvoice(session.invoiceId);
  return readSession(w.shop, session.id);
}

/** A customer of the shop's own, with account credit. */
async function newVictim(email: string, fields: Fields = {}) {
  const victim = await newCustomer(w.shop, w.projectId, { email, ...fields });
  const amountCents = 5_000;
  const order = await newSession(w.shop, w.projectId, { customerId: victim.id, amountCents });
  await w.shop.call('POST', `/api/v2/checkout-sessions/${order.id}/cancel`);
  await w.payInvoice(order.invoiceId);
  const known = await readCustomer(w.shop, victim.id);
  expect(known.accountCreditCents).toBe(amountCents);
  return known;
}

test('a customer who enters another’s address in the portal gets none of their purchases', async () => {
  const credits = await linkOf({
    billingMode: 'balance_top_up',
    unitAmountCents: 1_000,
    creditAmount: 1_000,
  });
  const eve = await newCustomer(w.shop, w.projectId, { email: 'eve@example.com' });
  const portal = await visit(w.service, w.shop, w.projectId, eve.id);
  await portal.call('PATCH', '/me', { email: 'ann@example.com' });
  const first = await buy(credits, 'ann@example.com');
  const second = await buy(credits, 'Ann@Example.com');
  expect([first.customerId, second.customerId]).not.toContain(eve.id);
  expect((await readCustomer(w.shop, eve.id)).creditBalance).toBe(0);
  expect((await portal.call('GET', '/invoices')).body.data).toEqual([]);
  await expectSound(w.service);
});

test('a purchase by a link is never another person’s, even if the shop knows the address', async () => {
  const victim = await newVictim('bea@example.com');
  const bought = await buy(await linkOf(MONTHLY), 'bea@example.com');
  expect(bought.customerId).not.toBe(victim.id);
  const buyer = await readCustomer(w.shop, bought.customerId);
  expect(buyer).toMatchObject({ email: 'bea@example.com', accountCreditCents: 0 });
  // The renewal comes, and nobody pays it.
  await w.moveTo(days(w.service.clock.now(), 45));
  expect(await readCustomer(w.shop, victim.id)).toEqual(victim);
  const invoices = await invoicesOf(w.shop, bought.subscriptionId);
  expect(invoices.map(({ creditAppliedCents }: Fields) => creditAppliedCents)).toEqual([0, 0]);
  await expectSound(w.service);
});

test('the receipt of a stranger prints what they typed, and nothing that is stored', async () => {
  const victim = await newVictim('cy@example.com', {
    name: 'Cyrus Stored',
    externalCustomerId: 'member-4711',
  });
  const bought = await buy(await linkOf({}), 'CY@example.com');
  const receipt = await fetch(`${w.service.url}${new URL(bought.checkoutUrl).pathname}/receipt.pdf`);
  const text = (await readPdf(await receipt.bytes())).join('\n');
  expect(text).toContain('CY@example.com');
  for (const secret of ['Cyrus', 'member-4711', 'cy@example.com']) expect(text).not.toContain(secret);
  // Details that the shop adds later about this buyer are not printed for strangers either.
  const told = { name: 'Looked up later' };
  await w.shop.call('PATCH', `/api/v2/customers/${bought.customerId}`, told);
  const again = await fetch(`${w.service.url}${new URL(bought.checkoutUrl).pathname}/receipt.pdf`);
  expect((await readPdf(await again.bytes())).join('\n')).not.toContain(told.name);
  expect(await readCustomer(w.shop, victim.id)).toEqual(victim);
});

test('a trial that a stranger begins with another’s address is not that person’s, nor paid from their credit', async () => {
  const victim = await newVictim('di@example.com');
  const link = await linkOf({ ...MONTHLY, trialDays: 14 });
  const session = await start(link, 'di@example.com');
  expect(session).toMatchObject({ status: 'complete', trialDays: 14 });
  expect(session.customerId).not.toBe(victim.id);
  await w.moveTo(days(w.service.clock.now(), 30));
  expect(await readCustomer(w.shop, victim.id)).toEqual(victim);
  // The shop gives its own customer their trial, by id or by address.
  const { priceId } = await readSession(w.shop, session.id);
  const own = { mode: 'subscription', priceId, trialDays: 14, amountCents: undefined };
  const begun = await newSession(w.shop, w.projectId, { ...own, customerId: victim.id });
  expect(begun).toMatchObject({ status: 'complete', trialDays: 14, customerEmail: 'di@example.com' });
  // An address that has had its trial gets no second one by being typed.
  const again = await start(link, 'DI@example.com');
  expect(again).toMatchObject({ status: 'open', trialDays: null });
  await expectSound(w.service);
});

test('nor does a customer use up another’s trial by calling themselves so', async () => {
  const link = await linkOf({ ...MONTHLY, trialDays: 7 });
  const eve = await newCustomer(w.shop, w.projectId, { externalCustomerId: 'eve of trials' });
  const portal = await visit(w.service, w.shop, w.projectId, eve.id);
  await portal.call('PATCH', '/me', { email: 'fay@example.com' });
  const { priceId } = await readSession(w.shop, (await start(link, 'any@example.com')).id);
  const trial = { mode: 'subscription', priceId, amountCents: undefined };
  const first = await newSession(w.shop, w.projectId, { ...trial, customerId: eve.id });
  expect(first).toMatchObject({ status: 'complete', trialDays: 7 });
  const fay = { externalCustomerId: 'fay', customerEmail: 'fay@example.com' };
  expect(await newSession(w.shop, w.projectId, { ...trial, ...fay })).toMatchObject({ trialDays: 7 });
});

test('nor uses up another’s discount by typing their address', async () => {
  const terms = { projectId: w.projectId, name: 'Once each', percentOff: 50, maxPerCustomer: 1 };
  const { body: discount } = await w.shop.call('POST', '/api/v2/discounts', terms);
  const code = { discountId: discount.id, code: 'ONCE-EACH' };
  expect((await w.shop.call('POST', '/api/v2/promotion-codes', code)).status).toBe(201);
  const victim = await newVictim('gil@example.com');
  const link = await linkOf({});
  const { body: found } = await w.shop.call('GET', `/api/v2/payment-links?projectId=${w.projectId}`);
  const { id } = found.data.find((each: Fields) => each.publicToken === link);
  await w.shop.call('PATCH', `/api/v2/payment-links/${id}`, { allowPromotionCodes: true });
  const enter = async (email: string) => {
    const session = await start(link, email);
    const url = `${w.service.url}${new URL(session.checkoutUrl).pathname}/promotion-code`;
    await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ code: 'ONCE-EACH' }),
      redirect: 'manual',
    });
    return readSession(w.shop, session.id);
  };
  const bought = await enter('gil@example.com');
  expect(bought.amountCents).toBe(250);
  await w.payInvoice(bought.invoiceId);
  const order = { amountCents: 500, promotionCode: 'ONCE-EACH' };
  const given = { amountCents: 250 };
  expect(await newSession(w.shop, w.projectId, { ...order, customerId: victim.id })).toMatchObject(given);
  // The discount does not count for them either once they have proven that the mailbox is theirs.
  const stranger = await enter('ivy@example.com');
  await w.payInvoice(stranger.invoiceId);
  const { customerId: proven } = await readSession(w.shop, stranger.id);
  await w.service.db.query(`update customers set email_source = 'mailbox' where id = $1`, [proven]);
  const ivy = await newCustomer(w.shop, w.projectId, { email: 'ivy@example.com' });
  expect(await newSession(w.shop, w.projectId, { ...order, customerId: ivy.id })).toMatchObject(given);
  // The same for a customer who calls themselves so.
  const eve = await newCustomer(w.shop, w.projectId, { externalCustomerId: 'eve of discounts' });
  await w.service.db.query(
    `update customers set email = 'hal@example.com', email_source = 'typed' where id = $1`,
    [eve.id],
  );
  const hal = await newCustomer(w.shop, w.projectId, { email: 'hal@example.com' });
  for (const customerId of [eve.id, hal.id])
    expect(await newSession(w.shop, w.projectId, { ...order, customerId })).toMatchObject(given);
  // An address that has had it gets no second one by being typed.
  expect((await enter('GIL@example.com')).amountCents).toBe(500);
  await expectSound(w.service);
});
