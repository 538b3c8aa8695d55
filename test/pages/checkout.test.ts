import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import {
  newPlan,
  newProject,
  newSession,
  newTopUp,
  paySession,
  readInvoice,
  readSession,
} from '../support/billing.ts';
import { expectAccessible, PHONE } from '../support/browser.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectGood, openPage, pathOf, scan, stage } from '../support/checkout.ts';

let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

const due = async (session: { paymentIntentId: string }) =>
  (await t.shop.call('GET', `/api/public/intents/${session.paymentIntentId}`)).body.paymentUrl;

test('tax that is added comes before the total, tax that is contained after it, in the reader’s language', async () => {
  const rate = { projectId, name: 'VAT', percent: 19, country: 'DE' };
  const { body: vat } = await t.shop.call('POST', '/api/v2/tax-rates', rate);
  const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', {
    ...{ projectId, mode: 'one_time', allowPromotionCodes: true },
    lineItems: [
      { name: 'Cup', unitAmountCents: 1_000, taxBehavior: 'exclusive', taxRateId: vat.id },
      { name: 'Book', unitAmountCents: 1_190, taxBehavior: 'inclusive', taxRateId: vat.id },
    ],
  });
  const page = await openPage(t, pathOf(session), { viewport: PHONE });
  const rows = page.locator('.totals > div');
  expect((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    '19% VAT $1.90',
    'Total $23.80',
    'incl. 19% VAT $1.90',
  ]);
  expect(await scan(page)).toBe(await due(session));
  await expectGood(page);
  for (const [language, said] of [
    ['de', 'inkl. 19 % VAT'],
    ['es', '19 % VAT incluido'],
    ['fr', 'dont 19 % VAT'],
    ['ar', 'شامل 19% VAT'],
  ] as const) {
    await page.goto(`${t.service.url}${pathOf(session)}?lang=${language}`);
    expect((await rows.last().innerText()).replace(/\s/g, ' ')).toContain(said);
  }
});

test('on a phone: three lines, a promotion code, and the wallet’s code has the amount that is left', async () => {
  const { body: discount } = await t.shop.call('POST', '/api/v2/discounts', {
    projectId,
    name: 'Summer sale',
    percentOff: 25,
  });
  await t.shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code: 'SUMMER' });
  const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', {
    projectId,
    mode: 'one_time',
    allowPromotionCodes: true,
    lineItems: [
      { name: 'Cup', unitAmountCents: 1_250, quantity: 3 },
      { name: 'Plate', unitAmountCents: 2_000 },
      { name: 'Gift wrapping', unitAmountCents: 251 },
    ],
  });
  const page = await openPage(t, pathOf(session), { viewport: PHONE });
  const summary = page.locator('.summary');
  for (const said of ['Cup', '3 ×', '$37.50', 'Plate', 'Gift wrapping', '$60.01']) {
    expect(await summary.innerText()).toContain(said);
  }
  await page.getByLabel('Promotion code').fill('winter');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('This code isn’t valid.').waitFor();
  await expectGood(page);
  await page.setViewportSize(PHONE);
  await page.getByLabel('Promotion code').fill('summer');
  await page.getByRole('button', { name: 'Apply' }).click();
  await summary.getByText('Discount: SUMMER').waitFor();
  expect(await summary.innerText()).toContain('$45.01');
  expect(await scan(page)).toBe(await due(session));
  await expectGood(page);
  await paySession(t, { ...session, amountCents: 4_501 });
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  expect(await readSession(t.shop, session.id)).toMatchObject({
    status: 'complete',
    amountReceivedCents: 4_501,
  });
});

test('on a phone: a tip by a percentage, then any amount; the wallet’s code follows', async () => {
  const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', {
    ...{ projectId, mode: 'one_time', tipPercents: [10, 15, 20] },
    lineItems: [{ name: 'Two espressos', unitAmountCents: 740 }],
  });
  const page = await openPage(t, pathOf(session), { viewport: PHONE });
  const summary = page.locator('.summary');
  await expectGood(page);
  await page.getByRole('button', { name: '15% $1.11' }).click();
  await summary.getByText('$8.51').first().waitFor();
  expect(await page.getByRole('button', { name: '15% $1.11' }).getAttribute('aria-pressed')).toBe('true');
  expect(await scan(page)).toBe(await due(session));
  await page.getByLabel('Other amount').fill('500');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Please enter an amount of up to $100.00.').waitFor();
  await expectGood(page);
  await page.getByLabel('Other amount').fill('2,60');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await summary.getByText('$10.00').first().waitFor();
  expect(await scan(page)).toBe(await due(session));
  for (const [language, said] of [
    ['de', 'Trinkgeld'],
    ['es', 'Propina'],
    ['fr', 'Pourboire'],
    ['ar', 'بقشيش'],
  ] as const) {
    await page.goto(`${t.service.url}${pathOf(session)}?lang=${language}`);
    expect(await page.locator('.bought').innerText()).toContain(said);
    await expectGood(page);
  }
  await paySession(t, { ...session, amountCents: 1_000 });
  await t.finalize();
  expect(await readSession(t.shop, session.id)).toMatchObject({ status: 'complete', tipCents: 260 });
});

describe('a checkout from open to paid', () => {
  test('shows who is paid, for what, how much, and a code that says the same to a wallet', async () => {
    const price = await newPlan(t.shop, projectId, { unitAmountCents: 123_456 });
    const session = await newSession(t.shop, projectId, {
      mode: 'subscription',
      priceId: price.id,
      externalCustomerId: 'c1',
      merchantReference: 'order-7',
    });
    const page = await openPage(t, pathOf(session));
    expect(await page.title()).toBe('Pay with USDC on Solana · Shop');
    const summary = await page.locator('.summary').innerText();
    const { number } = await readInvoice(t.shop, session.invoiceId);
    for (const said of ['Shop', '$1,234.56', 'Coffee', 'order-7', number, 'you confirm']) {
      expect(summary).toContain(said);
    }
    expect(await scan(page)).toBe(await due(session));
    await page.getByText('Pay manually').click();
    const hand = await page.locator('.by-hand').innerText();
    for (const said of ['1234.56 USDC', t.merchant.address]) expect(hand).toContain(said);
    await page.locator('[data-until]', { hasText: /^2[34]:\d\d:\d\d$/ }).waitFor();
    await expectGood(page);
  });

  test('shows a payment automatically: seen, then paid, without a reload', async () => {
    const session = await newSession(t.shop, projectId, {
      successUrl: 'https://shop.example/thanks?from=pay',
      cancelUrl: 'https://shop.example/cart',
    });
    const page = await openPage(t, pathOf(session));
    let loads = 0;
    page.on('load', () => loads++);
    expect(await page.getByText('Cancel and go back').getAttribute('href')).toBe('https://shop.example/cart');
    await paySession(t, session);
    t.chain.advanceSlots(2);
    await t.look();
    await page.getByRole('heading', { name: 'Payment detected' }).waitFor();
    expect(await page.locator('#announcer').textContent()).toBe('Payment detected');
    await expectAccessible(page);
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await page.locator('#announcer').textContent()).toBe('Paid. Thank you!');
    expect(loads).toBe(0);
    const back = new URL((await page.getByText('Back to Shop').getAttribute('href'))!);
    expect([back.origin, back.searchParams.get('from'), back.searchParams.get('session_id')]).toEqual([
      'https://shop.example',
      'pay',
      session.id,
    ]);
    await expectGood(page);
  });

  test('has a receipt once it is paid, and none before', async () => {
    const session = await newSession(t.shop, projectId, {});
    const receipt = `${t.service.url}${pathOf(session)}/receipt.pdf`;
    expect((await fetch(receipt)).status).toBe(404);
    await paySession(t, session);
    await t.finalize();
    const answer = await fetch(receipt);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const page = await openPage(t, pathOf(session));
    expect(await page.getByText('Receipt (PDF)').getAttribute('href')).toBe(
      `${pathOf(session)}/receipt.pdf?lang=en`,
    );
    expect(await page.getByText('You can close this page.').isVisible()).toBe(true);
  });

  test('says what a top-up is worth', async () => {
    const price = await newTopUp(t.shop, projectId, { creditAmount: 12_000 });
    const session = await newSession(t.shop, projectId, {
      mode: 'balance_top_up',
      priceId: price.id,
      externalCustomerId: 'c2',
    });
    const page = await openPage(t, pathOf(session));
    expect(await page.locator('.summary').innerText()).toContain('12,000 credits');
  });
});

describe('when it does not go as planned', () => {
  test('too little: says the rest, asks for exactly that, and is paid by it', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1000 });
    const page = await openPage(t, pathOf(session));
    await paySession(t, session, 333);
    t.chain.advanceSlots(2);
    await t.look();
    await page.getByText('$3.33 is on its way. You’ll still have $6.67 left to pay.').waitFor();
    await t.finalize();
    await page.getByRole('heading', { name: '$6.67 left to pay' }).waitFor();
    expect(await page.locator('.panel').innerText()).toContain('We received $3.33 of $10.00.');
    expect(new URL(await scan(page)).searchParams.get('amount')).toBe('6.67');
    expect(await scan(page)).toBe(await due(session));
    await expectGood(page);
    await paySession(t, session, 667);
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  });

  test('too much: paid, and the surplus is said', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1000 });
    await paySession(t, session, 1234);
    await t.finalize();
    const page = await openPage(t, pathOf(session));
    await page.getByText('You overpaid by $2.34. Contact Shop for a refund.').waitFor();
    await expectGood(page);
  });

  test('a transaction that fails: says so, and can be paid again', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await openPage(t, pathOf(session));
    await t.shop.call('POST', '/api/v2/sandbox/payments', {
      paymentIntentId: session.paymentIntentId,
      outcome: 'fail',
    });
    await t.finalize();
    await t.lookCloser();
    await page.getByText('Your last attempt failed').waitFor();
    expect(await scan(page)).toBe(await due(session));
    await expectGood(page);
  });

  test('canceled by the merchant: says not to pay, and asks for nothing', async () => {
    const session = await newSession(t.shop, projectId, { cancelUrl: 'https://shop.example/cart' });
    const page = await openPage(t, pathOf(session));
    await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    await page.getByRole('heading', { name: 'This payment was canceled' }).waitFor();
    expect(await page.locator('svg.qr').count()).toBe(0);
    expect(await page.getByText('Back to Shop').getAttribute('href')).toBe('https://shop.example/cart');
    await expectGood(page);
  });

  test('an amount no transfer can carry: says so', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 9_000_000_000_000_000 });
    const page = await openPage(t, pathOf(session));
    await page.getByText('too large for a single transfer').waitFor();
    expect(await page.locator('.summary h1').innerText()).toBe('$90,000,000,000,000.00');
  });

  test('an address that is none: 404 with a page', async () => {
    const page = await openPage(t, '/checkout/cs_nothing');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expectAccessible(page);
    expect((await fetch(`${t.service.url}/checkout/cs_nothing`)).status).toBe(404);
  });
});

describe('"I have paid"', () => {
  test('is thanked for, with and without a signature', async () => {
    const session = await newSession(t.shop, projectId, {});
    const signature = await paySession(t, session);
    const page = await openPage(t, pathOf(session));
    await page.getByText('I’ve paid').click();
    await page.getByLabel('Transaction signature (optional)').fill(`  ${signature} `);
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await page.getByText('We’re looking for your payment').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await page.getByText('We’re looking for your payment').waitFor();
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  });

  test('what is no signature is said to be none, and asks for nothing', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await openPage(t, pathOf(session));
    await page.getByText('I’ve paid').click();
    await page.getByLabel('Transaction signature (optional)').fill('hello');
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await page.getByText('That isn’t a transaction signature.').waitFor();
    const field = page.getByLabel('Transaction signature (optional)');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
  });
});

describe('after the deadline', () => {
  beforeEach(async () => {
    t = await testChain();
    projectId = (await newProject(t.shop)).id;
  });

  async function advance(ms: number): Promise<void> {
    t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + ms);
    await t.finalize();
    await t.expire();
  }

  test('nothing came: expired, with a way on; what still comes late is taken and shown', async () => {
    const link = (
      await t.shop.call('POST', '/api/v2/payment-links/setup', {
        projectId,
        productName: 'Course',
        billingMode: 'one_time',
        unitAmountCents: 500,
        currency: 'USD',
      })
    ).body.paymentLink;
    const begun = await t.shop.call('POST', `/api/v2/payment-links/${link.publicToken}/checkout`, {});
    const session = await readSession(t.shop, begun.body.sessionId);
    const page = await openPage(t, pathOf(session));
    await advance(DAY_MS + 5_000);
    await page.getByRole('heading', { name: 'This payment has expired' }).waitFor();
    expect(await page.locator('svg.qr').count()).toBe(0);
    expect(await page.locator('.panel').innerText()).toContain('still count until');
    expect(await page.getByText('Start again').getAttribute('href')).toBe(`/pay/${link.publicToken}?lang=en`);
    await expectGood(page);
    await paySession(t, session);
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  });

  test('a part came: the rest still completes it, and until when is said', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1000 });
    await paySession(t, session, 400);
    await t.finalize();
    await advance(DAY_MS + 5_000);
    const page = await openPage(t, pathOf(session));
    await page.getByText('The deadline has passed, but you can still pay the rest until').waitFor();
    expect(new URL(await scan(page)).searchParams.get('amount')).toBe('6');
    await expectGood(page);
  });

  test('the chain is still being read: asks to wait instead of claiming anything', async () => {
    const session = await newSession(t.shop, projectId, {});
    t.service.clock.setOffsetMs(DAY_MS + 5_000);
    const page = await openPage(t, pathOf(session));
    expect(await stage(page).innerText()).toBe('Time’s up');
    await expectGood(page);
  });

  test('a month later: closed, and what had come is said', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1000 });
    await paySession(t, session, 400);
    await t.finalize();
    await advance(DAY_MS + 5_000);
    await advance(31 * DAY_MS);
    const page = await openPage(t, pathOf(session));
    expect(await stage(page).innerText()).toBe('This payment is closed');
    await page.getByText('Shop received $4.00 of $10.00. Contact them if you haven’t got it back.').waitFor();
    expect(await page.locator('.payment-facts a, .payment-facts code').count()).toBeGreaterThan(0);
    await expectGood(page);
  });
});
