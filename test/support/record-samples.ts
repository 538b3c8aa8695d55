import { setTimeout } from 'node:timers/promises';
import { parseJson } from '../../src/platform/lib/json.ts';

/** One event as a service wrote it. */
export interface Recorded {
  id: string;
  event: string;
  createdAt: string;
  sequence: number;
  status: string;
  data: Record<string, unknown>;
}

/** Drives a new sandbox through every journey, and returns all of its events in order. */
export async function recordEvents(service: { url: string; apiKey: string }): Promise<Recorded[]> {
  const shop = shopAt(service);
  const { id: projectId } = await shop.call('POST', '/projects', { name: 'Morning paper' });
  await shop.call('PATCH', `/projects/${projectId}`, {
    settings: { usageCredits: { images: 5 }, lowBalanceCredits: 100 },
  });
  const { id: productId } = await shop.call('POST', '/products', { projectId, name: 'Morning paper' });
  const price = async (fields: object): Promise<string> =>
    (await shop.call('POST', '/prices', { projectId, productId, ...fields })).id;
  const prices = {
    once: await price({ billingMode: 'one_time', unitAmountCents: 1250 }),
    month: await price({ billingMode: 'subscription', unitAmountCents: 1000, recurringInterval: 'month' }),
    credits: await price({ billingMode: 'balance_top_up', unitAmountCents: 2000, creditAmount: 500 }),
  };
  await sellOnce(shop, projectId, prices.once);
  await sellCredits(shop, projectId, prices.credits);
  await refund(shop, projectId, prices.once);
  await sellAtTill(shop, projectId);
  await sellSubscriptions(shop, projectId, prices.month);
  await reviewMoney(shop, projectId, prices.once);
  await addEndpoint(shop, projectId, prices.once);
  await notifyPeople(shop, projectId);
  return shop.events();
}

type Shop = ReturnType<typeof shopAt>;

/** One more endpoint, which wants to know of new intents. Nobody is there to answer. */
async function addEndpoint(shop: Shop, projectId: string, priceId: string): Promise<void> {
  const { id } = await shop.call('POST', '/webhook-endpoints', {
    url: 'http://127.0.0.1:9/hooks/florin',
    name: 'Accounting',
    eventTypes: ['invoice.paid', 'payment_intent.created'],
  });
  await shop.call('POST', `/webhook-endpoints/${id}/test`);
  await shop.told('webhook_endpoint.test', id);
  const { paymentIntentId } = await shop.call('POST', '/checkout-sessions', {
    projectId,
    mode: 'one_time',
    priceId,
    merchantReference: 'order-1008',
  });
  await shop.told('payment_intent.created', paymentIntentId);
}

/** A channel is tested, and money goes elsewhere. Nobody is there to listen. */
async function notifyPeople(shop: Shop, projectId: string): Promise<void> {
  const { id } = await shop.call('POST', '/notifications', {
    kind: 'slack',
    name: 'Sales channel',
    url: 'http://127.0.0.1:9/services/T0/B0/x',
  });
  await shop.call('POST', `/notifications/${id}/test`);
  await shop.told('notification.test', id);
  await shop.call('PATCH', `/projects/${projectId}`, { payoutAddress: REFUND_ADDRESS });
  await shop.told('payout_address.changed', projectId);
  const daily = await shop.call('POST', '/notifications', {
    kind: 'slack',
    url: 'http://127.0.0.1:9/services/T0/B0/x',
    eventTypes: ['notification.summary'],
  });
  const { paymentIntentId } = await shop.call('POST', '/checkout-sessions', {
    projectId,
    mode: 'one_time',
    amountCents: 1250,
    merchantReference: 'order-1009',
  });
  await shop.payInFull(paymentIntentId);
  await shop.told('payment_intent.succeeded', paymentIntentId);
  await shop.advanceDays(1.01);
  await shop.told('notification.summary', daily.id);
}

/** Paid, paid in part, paid badly, taken back, and forgotten. */
async function sellOnce(shop: Shop, projectId: string, priceId: string): Promise<void> {
  const order = (number: number) =>
    shop.call('POST', '/checkout-sessions', {
      projectId,
      mode: 'one_time',
      priceId,
      merchantReference: `order-${number}`,
      externalCustomerId: 'reader-7',
    });
  const paid = await order(1001);
  await shop.payInFull(paid.paymentIntentId);
  await shop.told('checkout.session.completed', paid.id);
  const inPart = await order(1002);
  await shop.pay(inPart.paymentIntentId, { amountCents: 500 });
  await shop.finalize();
  await shop.told('invoice.underpaid', inPart.invoiceId);
  const badly = await order(1003);
  await shop.pay(badly.paymentIntentId, { outcome: 'wrong_mint' });
  await shop.finalize();
  await shop.told('payment_intent.failed', badly.paymentIntentId);
  const takenBack = await order(1004);
  await shop.call('POST', `/checkout-sessions/${takenBack.id}/cancel`);
  const forgotten = await order(1005);
  await shop.advanceDays(2);
  await shop.told('checkout.session.expired', forgotten.id);
}

async function sellCredits(shop: Shop, projectId: string, priceId: string): Promise<void> {
  const { id, customerId, paymentIntentId } = await shop.call('POST', '/checkout-sessions', {
    projectId,
    mode: 'balance_top_up',
    priceId,
    externalCustomerId: 'reader-8',
  });
  await shop.payInFull(paymentIntentId);
  await shop.told('checkout.session.completed', id);
  const use = (idempotencyKey: string, quantity: number) =>
    shop.call('POST', '/usage', { projectId, customerId, idempotencyKey, metric: 'images', quantity });
  for (const [key, quantity] of [
    ['job-1', 10],
    ['job-2', 70],
    ['job-3', 20],
  ] as const)
    await use(key, quantity);
  await shop.call('PATCH', `/customers/${customerId}`, { name: 'Ada Reader', email: 'ada@example.com' });
  const adjustments = `/customers/${customerId}/balance-adjustments`;
  await shop.call('POST', adjustments, { deltaCredits: 50, reason: 'sorry for the slow night' });
  const leaving = await shop.call('POST', '/customers', { projectId, name: 'Bea' });
  await shop.call('DELETE', `/customers/${leaving.id}`);
}

/** Address of a customer whose wallet is known to the merchant. */
const REFUND_ADDRESS = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';

/** One that is sent, one that the customer names the address of and that is canceled, one that is forgotten. */
async function refund(shop: Shop, projectId: string, priceId: string): Promise<void> {
  const { id, paymentIntentId, invoiceId } = await shop.call('POST', '/checkout-sessions', {
    projectId,
    mode: 'one_time',
    priceId,
    merchantReference: 'order-1006',
    externalCustomerId: 'reader-7',
  });
  await shop.payInFull(paymentIntentId);
  await shop.told('checkout.session.completed', id);
  const promise = (more: object) =>
    shop.call('POST', '/refunds', { paymentIntentId, reason: 'requested_by_customer', ...more });
  const sent = await promise({ amountCents: 500, address: REFUND_ADDRESS });
  await shop.call('POST', `/sandbox/refunds/${sent.id}/pay`);
  await shop.told('refund.processing', sent.id);
  await shop.finalize();
  await shop.told('invoice.refunded', invoiceId);
  const asked = await promise({ amountCents: 250 });
  const { url } = await shop.call('POST', `/refunds/${asked.id}/claim-link`);
  await shop.claim(url, REFUND_ADDRESS);
  await shop.call('POST', `/refunds/${asked.id}/approve-address`, { address: REFUND_ADDRESS });
  await shop.call('POST', `/refunds/${asked.id}/cancel`);
  const forgotten = await promise({ amountCents: 100 });
  await shop.advanceDays(91);
  await shop.told('refund.expired', forgotten.id);
}

/** Staff ask for two refunds of what a till sold: one is approved, one is declined. */
async function sellAtTill(shop: Shop, projectId: string): Promise<void> {
  const { id: terminalId } = await shop.callPath('POST', `${MERCHANT}/terminals`, { name: 'Counter' });
  const { code } = await shop.callPath('POST', `${MERCHANT}/tills`, { terminalId, projectId });
  const till = await shop.pairTill(code);
  for (const [reason, decision] of [
    ['Wrong size', 'approve'],
    ['Changed their mind', 'decline'],
  ]) {
    const { id } = await till('/sales', { amountCents: 800 });
    await shop.payInFull(id);
    await shop.told('payment_intent.succeeded', id);
    await till(`/sales/${id}/refund-request`, { reason });
    const { data } = await shop.callPath('GET', `${MERCHANT}/refund-requests?status=open`);
    await shop.callPath('POST', `${MERCHANT}/refund-requests/${data[0].id}/${decision}`);
  }
}

/** Money that names no order, which a person sends back. */
async function reviewMoney(shop: Shop, projectId: string, priceId: string): Promise<void> {
  const { paymentIntentId } = await shop.call('POST', '/checkout-sessions', {
    projectId,
    mode: 'one_time',
    priceId,
    merchantReference: 'order-1007',
  });
  const { signature } = await shop.pay(paymentIntentId, { outcome: 'no_reference' });
  await shop.finalize();
  await shop.told('exception.created', signature);
  const { data } = await shop.call('GET', `/exceptions?txSignature=${signature}`);
  await shop.call('POST', `/exceptions/${data[0].id}/mark-returned`, {
    note: 'Sent back to the wallet it came from',
  });
  await shop.call('POST', `/exceptions/${data[0].id}/reopen`, {});
  await shop.call('POST', `/exceptions/${data[0].id}/keep`, { note: 'A tip, says the customer' });
}

/** One that is renewed and ends as asked, one that is not paid in time and comes back, one that never begins. */
async function sellSubscriptions(shop: Shop, projectId: string, priceId: string): Promise<void> {
  const subscribe = (externalCustomerId: string) =>
    shop.call('POST', '/checkout-sessions', { projectId, mode: 'subscription', priceId, externalCustomerId });
  const renewed = await subscribe('reader-9');
  const late = await subscribe('reader-10');
  const never = await subscribe('reader-11');
  for (const { paymentIntentId } of [renewed, late]) await shop.payInFull(paymentIntentId);
  for (const { subscriptionId } of [renewed, late]) await shop.told('subscription.activated', subscriptionId);
  const tried = await shop.call('POST', '/checkout-sessions', {
    ...{ projectId, mode: 'subscription', priceId, externalCustomerId: 'reader-12', trialDays: 30 },
  });
  await shop.advanceDays(27);
  await shop.told('subscription.incomplete_expired', never.subscriptionId);
  await shop.told('subscription.trial_will_end', tried.subscriptionId);
  await shop.payInFull(await shop.renewalOf(renewed.subscriptionId));
  await shop.told('invoice.paid', (await shop.subscription(renewed.subscriptionId)).latestInvoiceId);
  const renewal = await shop.renewalOf(late.subscriptionId);
  await shop.advanceDays(5);
  await shop.told('subscription.renewed', renewed.subscriptionId);
  await shop.call('POST', `/subscriptions/${renewed.subscriptionId}/cancel`, {});
  await shop.advanceDays(14);
  await shop.told('subscription.canceled', late.subscriptionId);
  await shop.payInFull(renewal);
  await shop.told('subscription.reactivated', late.subscriptionId);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Answer = any;

const MERCHANT = '/api/b2b/merchants';

function shopAt({ url, apiKey }: { url: string; apiKey: string }) {
  const call = (method: string, path: string, body?: object) => callPath(method, `/api/v2${path}`, body);

  async function callPath(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return parseJson(text);
  }

  async function events(): Promise<Recorded[]> {
    const all: Recorded[] = [];
    let after = 'earliest';
    for (;;) {
      const page = await call('GET', `/events?limit=100&after=${after}`);
      all.push(...page.data);
      if (!page.hasMore) return all;
      after = page.nextCursor;
    }
  }

  const subscription = (id: string) => call('GET', `/subscriptions/${id}`);
  const pay = (paymentIntentId: string, more: object = {}) =>
    call('POST', '/sandbox/payments', { paymentIntentId, ...more });
  /** Moving the clock ends enough slots: what has landed is final. Far enough that no two payments fall due together. */
  const finalize = () => call('POST', '/sandbox/clock', { advanceSeconds: 5 });

  /** Waits for this event of this object. */
  async function told(event: string, objectId: string): Promise<void> {
    const isIt = (one: Recorded) => one.event === event && JSON.stringify(one.data).includes(objectId);
    for (let left = 600; !(await events()).some(isIt); left--) {
      if (left === 0) throw new Error(`${event} was not sent for ${objectId}`);
      await setTimeout(200);
    }
  }

  /** Names an address as the customer who holds the link does. */
  async function claim(link: string, address: string): Promise<void> {
    const token = link.split('/').pop();
    const response = await fetch(`${url}/api/public/refunds/${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ address }),
    });
    if (!response.ok) throw new Error(`claiming ${link}: ${response.status} ${await response.text()}`);
  }

  /** Pairs a till and sends requests as the page at /till does. */
  async function pairTill(code: string) {
    const send = async (path: string, body?: object, headers = {}) => {
      const response = await fetch(`${url}/api/till${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`till ${path}: ${response.status} ${await response.text()}`);
      return response;
    };
    const paired = await send('/pair', { code });
    const cookie = paired.headers.get('set-cookie')!.split(';')[0]!;
    const { csrfToken } = (await (await send('', undefined, { cookie })).json()) as Answer;
    return async (path: string, body: object): Promise<Answer> =>
      (await send(path, body, { cookie, 'x-csrf-token': csrfToken })).json();
  }

  return {
    call,
    callPath,
    pairTill,
    claim,
    events,
    subscription,
    pay,
    finalize,
    told,
    /** Seen first and final later, in every run: slots end too slowly for a payment to become final unseen. */
    async payInFull(paymentIntentId: string): Promise<void> {
      await pay(paymentIntentId);
      await told('payment_intent.updated', paymentIntentId);
      await finalize();
    },
    advanceDays: (days: number) => call('POST', '/sandbox/clock', { advanceSeconds: days * 86_400 }),
    /** The intent that the renewal of a subscription is to be paid by. */
    async renewalOf(subscriptionId: string): Promise<string> {
      const { latestInvoiceId } = await subscription(subscriptionId);
      const { checkoutSessionId } = await call('GET', `/invoices/${latestInvoiceId}`);
      return (await call('GET', `/checkout-sessions/${checkoutSessionId}`)).paymentIntentId;
    },
  };
}
