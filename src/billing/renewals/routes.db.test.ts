import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newLink,
  newPlan,
  newProject,
  newSession,
  newTopUp,
} from '../../../test/support/billing.ts';
import { call, type TestAnswer } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let small: { id: string; productId: string };
let large: { id: string };
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let active: any;
let activeCustomer = 'active';

beforeAll(async () => {
  w = await subscriptionWorld();
  small = await newPlan(w.shop, w.projectId);
  large = await newPlan(w.shop, w.projectId, { unitAmountCents: 2_000 });
  active = await w.subscribe(small.id, 'active', { merchantReference: 'contract' });
});

const codeOf = ({ status, body }: TestAnswer) => [status, body.error?.code ?? body];
const fieldOf = ({ status, body }: TestAnswer) => [status, body.error?.message.split(' ')[0] ?? body];

describe('/api/v2/subscriptions', () => {
  const get = (path = '') => w.shop.call('GET', `/api/v2/subscriptions${path}`);
  const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    w.shop.call('POST', `/api/v2/subscriptions${path}`, body, headers);
  const patch = (id: string, body: unknown) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
  const preview = (id: string, body: unknown) => post(`/${id}/preview-change`, body);
  const subscribe = (name: string) => w.subscribe(small.id, `/api/v2 ${name}`);

  test('GET 200: the whole subscription', async () => {
    const { status, body } = await get(`/${active.id}`);
    expect([status, body]).toEqual([
      200,
      {
        id: active.id,
        projectId: w.projectId,
        customerId: active.customerId,
        priceId: small.id,
        quantity: 1,
        discountId: null,
        discountPeriodsLeft: null,
        status: 'active',
        trialEndsAt: null,
        currentPeriodStart: expect.stringMatching(/Z$/),
        currentPeriodEnd: expect.stringMatching(/Z$/),
        cancelAtPeriodEnd: false,
        canceledAt: null,
        cancelReason: null,
        graceEndsAt: null,
        pendingChange: null,
        latestInvoiceId: expect.any(String),
        renewalCheckoutUrl: null,
        successUrl: null,
        cancelUrl: null,
        metadata: {},
        externalCustomerId: activeCustomer,
        merchantReference: activeCustomer === 'active' ? 'contract' : null,
        clientReferenceId: null,
        hasAccess: true,
        accessUntil: body.currentPeriodEnd,
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('GET list 200 by every filter, newest first, in pages', async () => {
    const ids = async (query: string) => (await get(query)).body.data.map(({ id }: { id: string }) => id);
    for (const query of [
      `?projectId=${w.projectId}&customerId=${active.customerId}`,
      `?externalCustomerId=${activeCustomer}`,
      `?priceId=${small.id}&externalCustomerId=${activeCustomer}&status=active&status=past_due`,
    ]) {
      expect([query, await ids(query)]).toEqual([query, [active.id]]);
    }
    expect(await ids(`?externalCustomerId=${activeCustomer}&status=canceled`)).toEqual([]);
    expect(await ids(`?customerId=${randomUUID()}`)).toEqual([]);
    await subscribe('newer');
    const first = (await get('?limit=1')).body;
    expect(first.hasMore).toBe(true);
    const second = (await get(`?limit=1&cursor=${first.nextCursor}`)).body;
    expect(second.data[0].id < first.data[0].id).toBe(true);
    for (const bad of ['?status=gone', '?limit=0', '?cursor=x', '?projectId=x', '?mode=subscription']) {
      expect([bad, (await get(bad)).status]).toEqual([bad, 400]);
    }
  });

  test('its sessions and invoices are found by subscriptionId', async () => {
    for (const noun of ['checkout-sessions', 'invoices']) {
      const { body } = await w.shop.call('GET', `/api/v2/${noun}?subscriptionId=${active.id}`);
      expect(body.data.map((one: { subscriptionId: string }) => one.subscriptionId)).toEqual([active.id]);
      expect((await w.shop.call('GET', `/api/v2/${noun}?subscriptionId=${randomUUID()}`)).body.data).toEqual(
        [],
      );
    }
  });

  test('401, 403, 404 for every operation', async () => {
    const key = await w.shop.keyWith(['payments:read', 'payments:write']);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', `/${active.id}`, undefined],
      ['POST', `/${active.id}/cancel`, {}],
      ['POST', `/${active.id}/preview-change`, { priceId: large.id }],
      ['PATCH', `/${active.id}`, {}],
    ] as const) {
      const url = `${w.service.url}/api/v2/subscriptions${path}`;
      expect(codeOf(await call(url, method, body))).toEqual([401, 'UNAUTHORIZED']);
      const weak = await call(url, method, body, { authorization: `Bearer ${key}` });
      expect(codeOf(weak)).toEqual([403, 'INSUFFICIENT_SCOPE']);
      if (!path) continue;
      const missing = path.replace(active.id, randomUUID());
      expect(codeOf(await w.shop.call(method, `/api/v2/subscriptions${missing}`, body))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
  });

  test('cancel: 200 without a body, the same answer for the same key, 409 twice, 400', async () => {
    const { id } = await subscribe('cancel');
    for (const body of [{ atPeriodEnd: 'yes' }, { atPeriodEnd: null }, { now: true }, []]) {
      expect([body, (await post(`/${id}/cancel`, body)).status]).toEqual([body, 400]);
    }
    const headers = { 'idempotency-key': '/api/v2 cancel' };
    const first = await post(`/${id}/cancel`, undefined, headers);
    expect([first.status, first.body.cancelAtPeriodEnd]).toEqual([200, true]);
    expect((await post(`/${id}/cancel`, undefined, headers)).text).toBe(first.text);
    expect(codeOf(await post(`/${id}/cancel`, { atPeriodEnd: false }, headers))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ]);
    expect(codeOf(await post(`/${id}/cancel`))).toEqual([409, 'INVALID_STATE']);
    expect((await post(`/${id}/cancel`, { atPeriodEnd: false })).body.status).toBe('canceled');
    expect(codeOf(await post(`/${id}/cancel`))).toEqual([409, 'INVALID_STATE']);
  });

  test('preview and PATCH 400: the field first', async () => {
    const other = await newPlan(w.shop, (await newProject(w.shop)).id);
    const topUp = await newTopUp(w.shop, w.projectId);
    const cheaper = await newPlan(w.shop, w.projectId, { unitAmountCents: 1 });
    const weekly = await newPlan(w.shop, w.projectId, { recurringInterval: 'week' });
    for (const [body, field] of [
      [{ priceId: randomUUID() }, 'priceId'],
      [{ priceId: other.id }, 'priceId'],
      [{ priceId: topUp.id }, 'priceId'],
      [{ priceId: small.id }, 'priceId'],
      [{ priceId: cheaper.id, prorationBehavior: 'charge_now' }, 'prorationBehavior'],
      [{ priceId: weekly.id, prorationBehavior: 'charge_now' }, 'prorationBehavior'],
      [{ priceId: weekly.id, prorationBehavior: 'none' }, 'prorationBehavior'],
      [{ priceId: large.id, prorationBehavior: 'later' }, 'prorationBehavior'],
    ] as const) {
      expect([body, fieldOf(await preview(active.id, body))]).toEqual([body, [400, field]]);
      expect([body, fieldOf(await patch(active.id, body))]).toEqual([body, [400, field]]);
    }
    for (const prorationDate of [
      active.currentPeriodEnd,
      days(active.currentPeriodStart, -1).toISOString(),
    ]) {
      const answer = await preview(active.id, { priceId: large.id, prorationDate });
      expect(fieldOf(answer)).toEqual([400, 'prorationDate']);
    }
    expect(fieldOf(await preview(active.id, {}))).toEqual([400, 'priceId']);
    for (const [body, field] of [
      [{ prorationBehavior: 'auto' }, 'priceId'],
      [{ previewToken: 'x' }, 'priceId'],
      [{ priceId: large.id, previewToken: 'x' }, 'previewToken'],
      [{ priceId: large.id, cancelAtPeriodEnd: true }, 'cancelAtPeriodEnd'],
      [{ status: 'active' }, 'status'],
    ] as const) {
      expect([body, fieldOf(await patch(active.id, body))]).toEqual([body, [400, field]]);
    }
    const untouched = await patch(active.id, {});
    expect([untouched.status, untouched.body.id]).toEqual([200, active.id]);
  });

  test('409 for a price that is no longer sold', async () => {
    const gone = await newPlan(w.shop, w.projectId, { unitAmountCents: 7_000 });
    await w.shop.call('PATCH', `/api/v2/prices/${gone.id}`, { isActive: false });
    expect(codeOf(await preview(active.id, { priceId: gone.id }))).toEqual([409, 'INVALID_STATE']);
    expect(codeOf(await patch(active.id, { priceId: gone.id }))).toEqual([409, 'INVALID_STATE']);
  });

  test('a token bills what it showed, or 409 PREVIEW_STALE: used, too old, of another subscription, other credit', async () => {
    const sub = await subscribe('token');
    const other = await subscribe('other');
    const asOf = { prorationDate: other.currentPeriodStart };
    const shown = (await preview(sub.id, { priceId: large.id, ...asOf })).body;
    expect(shown).toMatchObject({ subscriptionId: sub.id, currentPriceId: small.id, newPriceId: large.id });
    const { previewToken } = shown;
    const body = { priceId: large.id, previewToken };
    expect(codeOf(await patch(other.id, body))).toEqual([409, 'PREVIEW_STALE']);
    expect(fieldOf(await patch(sub.id, { ...body, prorationBehavior: 'none' }))).toEqual([
      400,
      'prorationBehavior',
    ]);
    const dear = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
    expect(fieldOf(await patch(sub.id, { ...body, priceId: dear.id }))).toEqual([400, 'previewToken']);
    const adjust = { deltaCents: 10, reason: 'gift' };
    await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, adjust);
    expect(codeOf(await patch(sub.id, body))).toEqual([409, 'PREVIEW_STALE']);
    const fresh = (await preview(sub.id, { priceId: large.id, ...asOf })).body;
    expect(fresh.amountDueCents).toBe(shown.amountDueCents - 10);
    const old = (await preview(other.id, { priceId: large.id })).body;
    const billed = await patch(sub.id, { priceId: large.id, previewToken: fresh.previewToken });
    expect(billed.body.pendingChange.amountDueCents).toBe(fresh.amountDueCents);
    expect(codeOf(await patch(sub.id, { priceId: large.id, previewToken: fresh.previewToken }))).toEqual([
      409,
      'PREVIEW_STALE',
    ]);
    w.service.clock.setOffsetMs(w.service.clock.now().getTime() - Date.now() + 15 * 60_000);
    expect(codeOf(await patch(other.id, { priceId: large.id, previewToken: old.previewToken }))).toEqual([
      409,
      'PREVIEW_STALE',
    ]);
    await expectSound(w.service);
  });

  test('409 for a change while incomplete, past due, about to end, canceled', async () => {
    const body = { mode: 'subscription', priceId: small.id, customerName: 'x' };
    const incomplete = (await newSession(w.shop, w.projectId, body)).subscriptionId;
    const ending = await subscribe('ending');
    await post(`/${ending.id}/cancel`);
    const canceled = await subscribe('canceled');
    await post(`/${canceled.id}/cancel`, { atPeriodEnd: false });
    for (const id of [incomplete, ending.id, canceled.id]) {
      expect(codeOf(await preview(id, { priceId: large.id }))).toEqual([409, 'INVALID_STATE']);
      expect(codeOf(await patch(id, { priceId: large.id }))).toEqual([409, 'INVALID_STATE']);
    }
    const late = await subscribe('late');
    await w.moveTo(days(late.currentPeriodEnd, 1));
    expect((await get(`/${late.id}`)).body.status).toBe('past_due');
    expect(codeOf(await preview(late.id, { priceId: large.id }))).toEqual([409, 'INVALID_STATE']);
    // Time has moved on: the next version is asked about one that is up to date.
    activeCustomer = 'after';
    active = await w.subscribe(small.id, activeCustomer);
  });

  test('a payment link with a subscription price: with the money come a customer and an active subscription', async () => {
    const link = (
      await newLink(w.shop, w.projectId, { billingMode: 'subscription', recurringInterval: 'month' })
    ).paymentLink;
    const url = `${w.service.url}/api/v2/payment-links/${link.publicToken}/checkout`;
    const answer = await call(url, 'POST', { clientReferenceId: 'seat-7' });
    expect(answer.status).toBe(201);
    const session = (await w.shop.call('GET', `/api/v2/checkout-sessions/${answer.body.sessionId}`)).body;
    expect(session).toMatchObject({ mode: 'subscription', customerId: null, subscriptionId: null });
    await w.payInvoice(session.invoiceId);
    const paid = (await w.shop.call('GET', `/api/v2/checkout-sessions/${session.id}`)).body;
    expect((await get(`/${paid.subscriptionId}`)).body).toMatchObject({
      status: 'active',
      customerId: paid.customerId,
      hasAccess: true,
    });
    await expectSound(w.service);
  });
});
