import { address } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeClockOffset } from '../../src/platform/db/installation.ts';
import { DAY_MS, realNow } from '../../src/platform/lib/clock.ts';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { followClock } from '../../src/sandbox/move-clock.ts';
import {
  expectSound,
  listEvents,
  moveTo,
  newLink,
  newPlan,
  newProject,
  newSession,
  paySession,
  readInvoice,
  readSession,
  readSubscription,
  sessionOfInvoice,
  subscribe,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { visit } from '../support/portal.ts';
import { pay } from '../support/wallet.ts';

/** Whatever a customer owes can be paid from their portal: found there, led to a page that asks for it, paid once. */
let t: TestChain;
let projectId: string;
let plan: { id: string };
let pricier: { id: string };

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
  plan = await newPlan(t.shop, projectId);
  pricier = await newPlan(t.shop, projectId, { unitAmountCents: 3_000 });
});

const days = (date: string | Date, count: number) => new Date(new Date(date).getTime() + count * DAY_MS);
const patch = (id: string, body: object) => t.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);

/** Time passes, and nobody does what has become due. */
async function letTimePass(to: Date) {
  await storeClockOffset(t.service.db, to.getTime() - realNow().getTime());
  await followClock(t.service.db, t.service.clock);
  t.chain.advanceSlots(1);
}

interface Owed {
  invoiceId: string;
  /** Amount to request. */
  cents: number;
  subscriptionId?: string;
}

/** A subscription of ten dollars whose renewal is open. */
async function renewal(name: string) {
  const sub = await subscribe(t, projectId, plan.id, name);
  await moveTo(t, days(sub.currentPeriodEnd, -2));
  const { latestInvoiceId: invoiceId } = await readSubscription(t.shop, sub.id);
  return { sub, subscriptionId: sub.id as string, invoiceId, cents: 1_000 };
}

async function payPart(invoiceId: string, cents: number) {
  await paySession(t, await sessionOfInvoice(t.shop, invoiceId), cents);
  await t.finalize();
}

async function ended(name: string, part = 0) {
  const open = await renewal(name);
  if (part > 0) await payPart(open.invoiceId, part);
  const { graceEndsAt } = await readSubscription(t.shop, open.subscriptionId);
  await moveTo(t, days(graceEndsAt, 1));
  expect((await readSubscription(t.shop, open.subscriptionId)).status).toBe('canceled');
  return { ...open, cents: open.cents - part };
}

async function change(name: string) {
  const sub = await subscribe(t, projectId, plan.id, name);
  const { pendingChange } = (await patch(sub.id, { priceId: pricier.id })).body;
  return { subscriptionId: sub.id, invoiceId: pendingChange.invoiceId, cents: pendingChange.amountDueCents };
}

/** A stranger who came by a link and has paid a part. */
async function stranger(): Promise<Owed> {
  const { paymentLink } = await newLink(t.shop, projectId);
  const path = `/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
  const session = await readSession(
    t.shop,
    (await t.shop.call('POST', path, { customerEmail: 'ada@example.com' })).body.sessionId,
  );
  await payPart(session.invoiceId, 200);
  return { invoiceId: session.invoiceId, cents: 300 };
}

const STATES: Record<string, (name: string) => Promise<Owed>> = {
  async 'a single payment'(externalCustomerId) {
    return { invoiceId: (await newSession(t.shop, projectId, { externalCustomerId })).invoiceId, cents: 500 };
  },
  async 'a single payment whose last attempt failed on chain'(externalCustomerId) {
    const session = await newSession(t.shop, projectId, { externalCustomerId });
    const body = { paymentIntentId: session.paymentIntentId, outcome: 'fail' };
    expect((await t.shop.call('POST', '/api/v2/sandbox/payments', body)).status).toBe(202);
    await t.finalize();
    return { invoiceId: session.invoiceId, cents: 500 };
  },
  async 'the first period'(externalCustomerId) {
    const fields = { mode: 'subscription', priceId: plan.id, externalCustomerId };
    const session = await newSession(t.shop, projectId, fields);
    return { invoiceId: session.invoiceId, cents: 1_000, subscriptionId: session.subscriptionId };
  },
  'a renewal': renewal,
  async 'a renewal paid in part'(name) {
    const open = await renewal(name);
    await payPart(open.invoiceId, 333);
    return { ...open, cents: 667 };
  },
  async 'a renewal reopened after a part was paid'(name) {
    const { sub, invoiceId } = await renewal(name);
    await payPart(invoiceId, 400);
    await t.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, {});
    await patch(sub.id, { cancelAtPeriodEnd: false });
    await t.expire();
    const { latestInvoiceId } = await readSubscription(t.shop, sub.id);
    return { invoiceId: latestInvoiceId, cents: 600, subscriptionId: sub.id };
  },
  async 'a renewal that is past due'(name) {
    const open = await renewal(name);
    await moveTo(t, days(open.sub.currentPeriodEnd, 1));
    return open;
  },
  async 'a renewal past its grace that nobody has closed yet'(name) {
    const open = await renewal(name);
    await moveTo(t, days(open.sub.currentPeriodEnd, 1));
    const { graceEndsAt } = await readSubscription(t.shop, open.subscriptionId);
    await letTimePass(days(graceEndsAt, 0.5));
    return open;
  },
  'a renewal that ended its subscription': (name) => ended(name),
  'a renewal that ended its subscription, paid in part': (name) => ended(name, 400),
  'a change of plan': change,
  async 'a change of plan whose subscription is to end'(name) {
    const open = await change(name);
    await t.shop.call('POST', `/api/v2/subscriptions/${open.subscriptionId}/cancel`, {});
    return open;
  },
  'the rest of what a stranger began': () => stranger(),
  async 'the rest of what a stranger began, after its deadline'() {
    const open = await stranger();
    await moveTo(t, days((await sessionOfInvoice(t.shop, open.invoiceId)).expiresAt, 1));
    return open;
  },
};

/** Returns what a wallet would send after scanning the page at this address. */
async function askedAt(checkoutUrl: string) {
  const text = await (await fetch(t.service.url + new URL(checkoutUrl).pathname)).text();
  const url = /href="(solana:[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  if (url === undefined) return undefined;
  const { pathname, searchParams } = new URL(url);
  const baseUnits = BigInt(Math.round(Number(searchParams.get('amount')) * 1e6));
  return { to: address(pathname), baseUnits, reference: address(searchParams.get('reference')!) };
}

async function insideAs(invoiceId: string) {
  const { customerId } = await readInvoice(t.shop, invoiceId);
  const visitor = await visit(t.service, t.shop, projectId, customerId);
  const page = async (path: string) =>
    (await fetch(t.service.url + path, { headers: { cookie: visitor.cookie } })).text();
  const read = async () => (await visitor.call('GET', `/invoices/${invoiceId}`)).body;
  return { visitor, page, read };
}

describe.each(Object.keys(STATES))('%s', (state) => {
  test('is paid from the portal, once', async () => {
    const { invoiceId, cents, subscriptionId } = await STATES[state]!(state);
    const { visitor, page, read } = await insideAs(invoiceId);
    const { checkoutUrl, amountDueCents } = await read();
    expect([checkoutUrl !== null, amountDueCents]).toEqual([true, cents]);
    const listed = (await visitor.call('GET', '/invoices')).body.data;
    expect(listed.find(({ id }: { id: string }) => id === invoiceId).checkoutUrl).toBe(checkoutUrl);
    const { pathname } = new URL(checkoutUrl);
    for (const path of ['/portal', '/portal/invoices', `/portal/invoices/${invoiceId}`]) {
      const text = await page(path);
      expect([path, text.includes(`data-invoice="${invoiceId}" href="${pathname}`)]).toEqual([path, true]);
    }
    if (subscriptionId) {
      const { renewalCheckoutUrl, pendingChange } = await readSubscription(t.shop, subscriptionId);
      const { billingReason } = await readInvoice(t.shop, invoiceId);
      if (billingReason === 'subscription_cycle') expect(renewalCheckoutUrl).toBe(checkoutUrl);
      if (billingReason === 'subscription_change') expect(pendingChange.checkoutUrl).toBe(checkoutUrl);
    }

    const asked = await askedAt(checkoutUrl);
    expect(asked?.baseUnits).toBe(centsToBaseUnits(BigInt(cents)));
    await pay({
      rpcUrl: t.chain.rpcUrl,
      from: t.customer.signer,
      destinationOwner: asked!.to,
      amountBaseUnits: asked!.baseUnits,
      references: [asked!.reference],
    });
    await t.finalize();
    expect(await readInvoice(t.shop, invoiceId)).toMatchObject({ status: 'paid', amountDueCents: 0 });
    await t.expire();
    const events = await listEvents(t.service, t.shop.id);
    const paid = events.filter(
      ({ event, body }) => event === 'invoice.paid' && body.data.invoice.id === invoiceId,
    );
    expect(paid).toHaveLength(1);
    expect((await read()).checkoutUrl).toBeNull();
    expect(await page('/portal/invoices')).not.toContain(`data-invoice="${invoiceId}"`);
    expect(await askedAt(checkoutUrl)).toBeUndefined();
    if (subscriptionId) {
      expect((await readSubscription(t.shop, subscriptionId)).status).toBe('active');
    }
    await expectSound(t.service);
  });
});

const OVER: Record<string, (name: string) => Promise<string>> = {
  async 'canceled by the merchant'(externalCustomerId) {
    const session = await newSession(t.shop, projectId, { externalCustomerId });
    await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    return session.invoiceId;
  },
  async 'a single payment after its deadline'(externalCustomerId) {
    const session = await newSession(t.shop, projectId, { externalCustomerId });
    await moveTo(t, days(session.expiresAt, 1));
    return session.invoiceId;
  },
  async 'a renewal withdrawn after a part was paid'(name) {
    const { sub, invoiceId } = await renewal(name);
    await payPart(invoiceId, 400);
    await t.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, {});
    return invoiceId;
  },
  async 'a change of plan after its deadline, which nobody has closed yet'(name) {
    const { invoiceId } = await change(name);
    const { expiresAt } = await sessionOfInvoice(t.shop, invoiceId);
    await letTimePass(days(expiresAt, 0.01));
    return invoiceId;
  },
  async 'a renewal 31 days after it ended its subscription'(name) {
    const { invoiceId, subscriptionId } = await ended(name);
    const { graceEndsAt } = await readSubscription(t.shop, subscriptionId);
    await moveTo(t, days(graceEndsAt, 31));
    return invoiceId;
  },
};

test.each(Object.keys(OVER))(
  '%s: nothing asks for money, in the portal or behind the old address',
  async (state) => {
    const invoiceId = await OVER[state]!(state);
    const { page, read } = await insideAs(invoiceId);
    expect((await read()).checkoutUrl).toBeNull();
    for (const path of ['/portal', '/portal/invoices', `/portal/invoices/${invoiceId}`]) {
      expect([path, (await page(path)).includes('data-invoice=')]).toEqual([path, false]);
    }
    const { checkoutUrl } = await sessionOfInvoice(t.shop, invoiceId);
    expect(await askedAt(checkoutUrl)).toBeUndefined();
  },
);

test('an unpaid ended subscription can be paid where it is renewed, and by nobody else', async () => {
  const { invoiceId, subscriptionId } = await ended('asked again');
  const { visitor, page } = await insideAs(invoiceId);
  const { renewalCheckoutUrl } = await readSubscription(t.shop, subscriptionId);
  const renew = await visitor.call('POST', `/subscriptions/${subscriptionId}/renew`);
  expect([renew.status, renew.body.checkoutUrl]).toEqual([200, renewalCheckoutUrl]);
  expect(await page('/portal')).toContain('Get <bdi>Coffee</bdi> back');

  const other = await newSession(t.shop, projectId, { externalCustomerId: 'nosy' });
  const stranger = await insideAs(other.invoiceId);
  expect((await stranger.visitor.call('GET', `/invoices/${invoiceId}`)).status).toBe(404);
  expect(await stranger.page(`/portal/invoices/${invoiceId}`)).not.toContain('data-invoice');
});
