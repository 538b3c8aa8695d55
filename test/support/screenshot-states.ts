import type { Page } from 'playwright-core';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
export type Call = (method: string, path: string, body?: unknown) => Promise<any>;

export interface State {
  name: string;
  path: string;
  /** Text that is there once the page is in this state. */
  shows?: string;
  cookies?: readonly { name: string; value: string; url: string }[];
  prepare?(page: Page): Promise<unknown>;
}

/** Every page of a small shop, brought into each of its states through the API; each state lasts until the next one is requested. */
export async function* makeStates(call: Call, url: string): AsyncGenerator<State> {
  const shop = await openShop(call);
  yield* linkStates(call, shop);
  yield* checkoutStates(call, shop);
  yield* terminalStates(call);
  yield* portalStates(call, shop, url);
  yield* lateStates(call, shop);
}

interface Shop {
  projectId: string;
  planId: string;
  biggerPlanId: string;
}

async function openShop(call: Call): Promise<Shop> {
  const { id: projectId } = await call('POST', '/api/v2/projects', { name: 'Lumen Analytics' });
  const product = await call('POST', '/api/v2/products', {
    projectId,
    name: 'Analytics Pro',
    description: 'Dashboards, alerts and exports for one team.',
  });
  const plan = (name: string, unitAmountCents: number) =>
    call('POST', '/api/v2/prices', {
      projectId,
      productId: product.id,
      name,
      unitAmountCents,
      billingMode: 'subscription',
      recurringInterval: 'month',
    });
  const small = await plan('Team', 2_900);
  const large = await plan('Company', 9_900);
  return { projectId, planId: small.id, biggerPlanId: large.id };
}

async function* linkStates(call: Call, { projectId }: Shop): AsyncGenerator<State> {
  const setUp = (more: object) =>
    call('POST', '/api/v2/payment-links/setup', {
      projectId,
      productName: 'Solana in a weekend',
      billingMode: 'one_time',
      unitAmountCents: 4_900,
      collectCustomerEmail: true,
      ...more,
    });
  const { paymentLink: course } = await setUp({});
  const path = new URL(course.url).pathname;
  yield { name: 'link', path };
  yield { name: 'link-problem', path, prepare: submitWrongEmail };
  const { paymentLink: club } = await setUp({
    productName: 'Members’ club',
    billingMode: 'subscription',
    recurringInterval: 'month',
    recurringIntervalCount: 6,
    requireClientReferenceId: true,
  });
  yield { name: 'link-subscription', path: new URL(club.url).pathname };
  await call('PATCH', `/api/v2/payment-links/${course.id}`, { status: 'inactive' });
  yield { name: 'link-inactive', path };
}

async function submitWrongEmail(page: Page): Promise<void> {
  await page.locator('input[type=email]').fill('nobody');
  await page
    .locator('form')
    .first()
    .evaluate((form) => form.setAttribute('novalidate', ''));
  await page.locator('main form button').first().click();
  await page.waitForLoadState();
}

function newSession(call: Call, { projectId, planId }: Shop) {
  return call('POST', '/api/v2/checkout-sessions', {
    projectId,
    mode: 'subscription',
    priceId: planId,
    externalCustomerId: `team-${Math.random()}`,
    merchantReference: 'Order 1047',
    successUrl: 'https://lumen.example/thanks',
    cancelUrl: 'https://lumen.example/pricing',
  });
}

const pathOf = ({ checkoutUrl }: { checkoutUrl: string }) => new URL(checkoutUrl).pathname;
const pay = (call: Call, { paymentIntentId }: { paymentIntentId: string }, more: object = {}) =>
  call('POST', '/api/v2/sandbox/payments', { paymentIntentId, ...more });

async function* checkoutStates(call: Call, shop: Shop): AsyncGenerator<State> {
  const waiting = await newSession(call, shop);
  yield { name: 'checkout-waiting', path: pathOf(waiting) };
  yield { name: 'checkout-by-hand', path: pathOf(waiting), prepare: open('Pay manually') };
  yield { name: 'checkout-claim', path: pathOf(waiting), prepare: open('I’ve paid') };
  const sessions = await Promise.all(Array.from({ length: 5 }, () => newSession(call, shop)));
  const [exact, less, more, failing, canceled] = sessions;
  await pay(call, exact);
  yield { name: 'checkout-confirming', path: pathOf(exact), shows: 'Payment detected' };
  await pay(call, less, { amountCents: 1_000 });
  await pay(call, more, { amountCents: 3_400 });
  await pay(call, failing, { outcome: 'fail' });
  yield { name: 'checkout-paid', path: pathOf(exact), shows: 'Paid. Thank you!' };
  yield { name: 'checkout-underpaid', path: pathOf(less), shows: 'left to pay' };
  yield { name: 'checkout-overpaid', path: pathOf(more), shows: 'You overpaid' };
  yield { name: 'checkout-failed', path: pathOf(failing), shows: 'Your last attempt failed' };
  await call('POST', `/api/v2/checkout-sessions/${canceled.id}/cancel`);
  yield { name: 'checkout-canceled', path: pathOf(canceled) };
  yield { name: 'not-found', path: '/checkout/cs_nothing' };
  yield { name: 'checkout-arabic', path: `${pathOf(waiting)}?lang=ar` };
}

const open = (summary: string) => (page: Page) => page.getByText(summary).click();

async function* terminalStates(call: Call): AsyncGenerator<State> {
  const { id } = await call('POST', '/api/b2b/merchants/terminals', { name: 'Counter 1' });
  yield { name: 'terminal-ready', path: `/terminals/${id}` };
  const order = { amountCents: 1_250, orderId: 'order-1048', terminalId: id };
  const intent = await call('POST', '/api/merchants/intents', order);
  yield { name: 'terminal-asking', path: `/terminals/${id}` };
  yield { name: 'intent-waiting', path: `/intents/${intent.id}` };
  await pay(call, { paymentIntentId: intent.id });
  yield { name: 'terminal-paid', path: `/terminals/${id}`, shows: 'Paid. Thank you!' };
}

/** Moves the clock, so it comes after everything that has a day to live. */
async function* lateStates(call: Call, shop: Shop): AsyncGenerator<State> {
  const unpaid = await newSession(call, shop);
  const partly = await newSession(call, shop);
  await pay(call, partly, { amountCents: 1_000 });
  await call('POST', '/api/v2/sandbox/clock', { advanceSeconds: 25 * 3_600 });
  yield { name: 'checkout-expired', path: pathOf(unpaid), shows: 'has expired' };
  yield { name: 'checkout-underpaid-late', path: pathOf(partly), shows: 'The deadline has passed' };
}

/** A team that subscribes, uses, and looks after its own account. */
async function* portalStates(call: Call, shop: Shop, url: string): AsyncGenerator<State> {
  const { projectId, planId } = shop;
  const session = await call('POST', '/api/v2/checkout-sessions', {
    projectId,
    mode: 'subscription',
    priceId: planId,
    externalCustomerId: 'team-9',
    customerEmail: 'team@lumen.example',
    customerName: 'Lumen team',
  });
  await pay(call, session);
  const { customerId } = await subscribed(call, session);
  await call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, {
    deltaCredits: 2_500,
    reason: 'Welcome gift',
  });
  for (const [day, quantity] of [120, 340, 95].entries()) {
    const key = `usage-${day}`;
    await call('POST', '/api/v2/usage', {
      projectId,
      customerId,
      metric: 'reports',
      quantity,
      idempotencyKey: key,
    });
  }
  const link = async () =>
    new URL(
      (
        await call('POST', '/api/v2/portal-sessions', {
          projectId,
          customerId,
          returnUrl: 'https://lumen.example',
        })
      ).url,
    ).pathname;
  yield { name: 'portal-link', path: await link() };
  const cookies = [{ name: 'florin_portal', value: await enter(url, await link()), url }];
  yield { name: 'portal-account', path: '/portal', cookies };
  const subscription = `/portal/subscriptions/${session.subscriptionId}`;
  yield { name: 'portal-change', path: `${subscription}/change`, cookies };
  yield {
    name: 'portal-preview',
    path: `${subscription}/change`,
    cookies,
    prepare: async (page) => {
      await page.locator('main form button, main a.button').first().click();
      await page.waitForLoadState();
    },
  };
  yield { name: 'portal-cancel', path: `${subscription}/cancel`, cookies };
  yield { name: 'portal-invoices', path: '/portal/invoices', cookies };
  yield { name: 'portal-balance', path: '/portal/balance', cookies };
  yield { name: 'portal-usage', path: '/portal/usage', cookies };
  yield { name: 'portal-details', path: '/portal/details', cookies };
  yield { name: 'portal-closed', path: '/portal' };
}

/** Waits until the first payment is final and has begun the subscription. */
async function subscribed(call: Call, { subscriptionId }: { subscriptionId: string }) {
  for (;;) {
    const subscription = await call('GET', `/api/v2/subscriptions/${subscriptionId}`);
    if (subscription.status === 'active') return subscription;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Uses a link up, as its button does; answers what the cookie holds. */
async function enter(url: string, path: string): Promise<string> {
  const token = path.split('/').at(-1);
  const answer = await fetch(`${url}/api/portal/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return /florin_portal=([^;]+)/.exec(answer.headers.get('set-cookie')!)![1]!;
}
