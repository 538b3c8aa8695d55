import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/platform/lib/language.ts';
import { newLink, newPrice, newProject } from '../support/billing.ts';
import { DESKTOP, expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { type TestMerchant, type TestService, testService } from '../support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Corner shop');
  projectId = (await newProject(shop)).id;
});

const urlOf = (publicToken: string, query = '') => `${service.url}/pay/${publicToken}${query}`;
const newUrl = async (fields: Record<string, unknown> = {}, query = '') =>
  urlOf((await newLink(shop, projectId, fields)).paymentLink.publicToken, query);

const ASKS = { collectCustomerEmail: true, requireClientReferenceId: true };

/** Sessions by newest first, as their merchant sees them. */
const sessions = async () => (await shop.call('GET', '/api/v2/checkout-sessions?limit=100')).body.data;
/** The second of two clicks breaks off the way of the first; where it ends counts. */
async function isAtCheckout(page: Page): Promise<void> {
  await expect.poll(() => page.url()).toMatch(/\/checkout\/[A-Za-z0-9_-]+\?lang=[a-z]{2}$/);
  await page.waitForLoadState();
}

const TOO_LONG = 'seat 17 '.repeat(30).trim();

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('a buyer opens a link, corrects what was wrong, and comes to the checkout', async () => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto(await newUrl({ ...ASKS, productName: 'Espresso course', unitAmountCents: 4900 }));
    const before = (await sessions()).length;
    expect(await page.textContent('h1')).toBe('Espresso course');
    expect(await page.textContent('main')).toContain('$49.00');
    await page.fill('#email', 'ada');
    await page.fill('#reference', TOO_LONG);
    await page.click('button');
    await page.waitForSelector('#email-problem');
    expect(await page.locator('input:focus').getAttribute('id')).toBe('email');
    expect(await page.title()).toMatch(/^Please check your details · Espresso course/);
    expect([await page.inputValue('#email'), await page.inputValue('#reference')]).toEqual(['ada', TOO_LONG]);
    await page.fill('#email', 'ada@example.com');
    await page.press('#email', 'Enter');
    await page.waitForSelector('#email:not([aria-invalid])');
    expect(await page.locator('input:focus').getAttribute('id')).toBe('reference');
    expect((await sessions()).length).toBe(before);
    await page.fill('#reference', 'seat-17');
    await page.press('#reference', 'Enter');
    await isAtCheckout(page);
    const [made, ...others] = await sessions();
    expect(made).toMatchObject({ customerEmail: 'ada@example.com', clientReferenceId: 'seat-17' });
    expect([others.length, new URL(made.checkoutUrl).pathname]).toEqual([
      before,
      new URL(page.url()).pathname,
    ]);
  });

  test('a double click is one session; coming back and changing something starts another', async () => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto(await newUrl({ collectCustomerEmail: true }));
    const before = (await sessions()).length;
    await page.fill('#email', 'ada@example.com');
    const key = await page.inputValue('[name=key]');
    await page.dblclick('button');
    await isAtCheckout(page);
    expect((await sessions()).length).toBe(before + 1);
    await page.goBack();
    await page.waitForSelector('#email');
    // Browsers differ in whether they kept the page; the worst case is the same form again.
    await page.evaluate(`document.querySelector('[name=key]').value = '${key}'`);
    expect(await page.inputValue('[name=key]')).toBe(key);
    await page.fill('#email', 'ada@example.org');
    await page.click('button');
    await isAtCheckout(page);
    expect(
      (await sessions()).slice(0, 2).map((each: { customerEmail: string }) => each.customerEmail),
    ).toEqual(['ada@example.org', 'ada@example.com']);
  });
});

test('in every language, with the reference kept from one to the next and to the checkout', async () => {
  const page = await newPage();
  const fields = { billingMode: 'subscription', recurringInterval: 'month', recurringIntervalCount: 6 };
  await page.goto(await newUrl(fields, '?client_reference_id=seat-17'));
  const every = ['every 6 months', 'alle 6 Monate', 'cada 6 meses', 'tous les 6 mois', 'كل 6 أشهر'];
  for (const [at, language] of LANGUAGES.entries()) {
    await page.click(`.languages a[lang=${language}]`);
    await page.waitForSelector(`html[lang=${language}][dir=${language === 'ar' ? 'rtl' : 'ltr'}]`);
    const text = (await page.textContent('main'))!.replaceAll('\u00a0', ' ');
    expect(text).toContain(every[at]);
    expect(text).toContain('seat-17');
  }
  await page.click('button');
  await page.waitForURL(/\/checkout\/.*lang=ar$/);
  expect((await sessions())[0].clientReferenceId).toBe('seat-17');
});

test('the browser’s own language is spoken where none was chosen', async () => {
  const page = await newPage({ locale: 'de-AT' });
  await page.goto(await newUrl());
  expect(await page.textContent('button')).toBe('Weiter zur Zahlung');
});

describe('text is text, from any source', () => {
  const PAYLOADS = [
    '<script>window.ran = 1</script>',
    '"><img src=x onerror="window.ran = 1">',
    "' autofocus onfocus='window.ran = 1' x='",
    '</title></textarea><svg onload="window.ran = 1">',
    'javascript:window.ran=1//{{7*7}}',
  ];

  const expectInert = async (page: Page) => {
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const foreign =
      'main script, main img, main svg, main iframe, main [onerror], main [onfocus], main [onload]';
    expect(await page.locator(foreign).count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
  };

  test.each(PAYLOADS)('%s', async (payload) => {
    const evil = await service.createMerchant(payload);
    const evilProject = (await newProject(evil)).id;
    const price = await newPrice(evil, evilProject, { name: payload });
    const described = { name: payload, description: `${payload}\n${payload}` };
    expect((await evil.call('PATCH', `/api/v2/products/${price.productId}`, described)).status).toBe(200);
    const body = { projectId: evilProject, priceId: price.id, name: payload, ...ASKS };
    const link = (await evil.call('POST', '/api/v2/payment-links', body)).body;
    const quoted = encodeURIComponent(payload);
    const query = `?client_reference_id=${quoted}&lang=${quoted}&x=${quoted}&${quoted}=1`;
    const page = await newPage();
    await page.goto(urlOf(link.publicToken, query));
    await expectInert(page);
    expect(await page.textContent('h1')).toBe(payload);
    expect(await page.title()).toBe(`${payload} · ${payload}`);
    expect(await page.locator('main bdi').first().textContent()).toBe(payload);
    expect(await page.textContent('main')).toContain(payload);
    await page.fill('#email', payload);
    await page.click('button');
    await page.waitForSelector('#email-problem');
    await expectInert(page);
    expect(await page.inputValue('#email')).toBe(payload);
    // Typed instead of brought along by the address.
    await page.goto(urlOf(link.publicToken));
    await page.fill('#email', payload);
    await page.fill('#reference', payload);
    await page.click('button');
    await page.waitForSelector('#email-problem');
    await expectInert(page);
    expect(await page.inputValue('#reference')).toBe(payload);
    await evil.call('PATCH', `/api/v2/payment-links/${link.id}`, { status: 'inactive' });
    await page.goto(urlOf(link.publicToken));
    await expectInert(page);
    expect(await page.textContent('main')).toContain(payload);
  });
});

const LONG_NAMES = [
  'W'.repeat(255),
  'مقهى الزاوية '.repeat(19).trim(),
  `${'x'.repeat(120)} ${'ي'.repeat(120)}`,
];

describe.each([
  ['desktop', DESKTOP, 'light'],
  ['phone', PHONE, 'dark'],
] as const)('on a %s %o in %s colours everybody can use it', (_name, viewport, colorScheme) => {
  const expectUsable = async (page: Page) => {
    await expectFits(page);
    await expectAccessible(page);
  };

  test.each([
    ['once', { ...ASKS }, 'en'],
    ['credits', { billingMode: 'balance_top_up', creditAmount: 1000, collectCustomerEmail: true }, 'de'],
    ['a subscription', { billingMode: 'subscription', recurringInterval: 'year', ...ASKS }, 'ar'],
    ['nothing asked', {}, 'es'],
  ] as const)('%s', async (_what, fields, language) => {
    const page = await newPage({ viewport, colorScheme });
    await page.goto(await newUrl(fields, `?lang=${language}`));
    await expectUsable(page);
    if (!('collectCustomerEmail' in fields)) return;
    await page.click('button');
    await page.waitForSelector('#email-problem');
    await expectUsable(page);
  });

  test('with names and references of any length and direction', async () => {
    const page = await newPage({ viewport, colorScheme });
    for (const name of LONG_NAMES) {
      const long = await service.createMerchant(name);
      const made = await newLink(long, (await newProject(long)).id, {
        productName: name,
        unitAmountCents: 900_719_925_474_099,
        billingMode: 'balance_top_up',
        creditAmount: 9_007_199_254_740_991,
      });
      for (const language of ['fr', 'ar']) {
        const query = `?lang=${language}&client_reference_id=${'r'.repeat(200)}`;
        await page.goto(urlOf(made.paymentLink.publicToken, query));
        await expectFits(page);
        // The narrowest screen there is.
        await page.setViewportSize({ width: 320, height: 568 });
        await expectFits(page);
        await page.setViewportSize(viewport);
      }
    }
    await expectAccessible(page);
  });

  test('links that do not sell', async () => {
    const page = await newPage({ viewport, colorScheme });
    await page.goto(urlOf('plink_nothing'));
    await expectUsable(page);
    const closed = await newLink(shop, projectId);
    await shop.call('PATCH', `/api/v2/payment-links/${closed.paymentLink.id}`, { status: 'inactive' });
    await page.goto(urlOf(closed.paymentLink.publicToken, '?lang=fr'));
    await expectUsable(page);
    const limited = await newProject(shop, { monthlyVolumeLimitCents: 1 });
    const refused = await newLink(shop, limited.id);
    await page.goto(urlOf(refused.paymentLink.publicToken));
    await page.click('button');
    await page.waitForSelector('.notice-page');
    await expectUsable(page);
    await page.click('.notice-page a');
    await page.waitForSelector('form');
  });
});

describe.each([true, false])('an open amount, with scripts: %s', (javaScriptEnabled) => {
  const OPEN = { unitAmountCents: 500, openAmount: { minCents: 100, suggestedCents: [300, 500, 1000] } };
  const amountOf = async () => (await sessions())[0].amountCents;

  test('a buyer takes what is marked, marks another, or types one', async () => {
    const page = await newPage({ javaScriptEnabled, viewport: PHONE });
    const url = await newUrl({ productName: 'Coffee for the band', ...OPEN });
    await page.goto(url);
    expect(await page.textContent('main')).toContain('Choose your amount');
    expect(await page.isChecked('input[value="500"]')).toBe(true);
    await page.click('button');
    await isAtCheckout(page);
    expect(await amountOf()).toBe(500);
    await page.goto(url);
    await page.check('input[value="1000"]');
    await page.click('button');
    await isAtCheckout(page);
    expect(await amountOf()).toBe(1000);
    await page.goto(`${url}?lang=de`);
    await page.fill('#amount', '12,50');
    await page.click('button');
    await isAtCheckout(page);
    expect(await amountOf()).toBe(1250);
    await expect.poll(() => page.textContent('main')).toContain('12,50');
  });

  test('what is too little or no amount is said next to the field, and what was typed stays', async () => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto(await newUrl({ ...OPEN, openAmount: { minCents: 100, maxCents: 50_000 } }));
    const before = (await sessions()).length;
    expect(await page.inputValue('#amount')).toBe('5.00');
    for (const typed of ['0.99', '500.01', '1e5', '<b>5</b>']) {
      await page.fill('#amount', typed);
      await page.click('button');
      await page.waitForSelector('#amount-problem');
      expect(await page.textContent('#amount-problem')).toBe('Please enter an amount from $1.00 to $500.00.');
      expect(await page.inputValue('#amount')).toBe(typed);
    }
    await page.fill('#amount', '1,250');
    await page.click('button');
    await expect.poll(() => page.textContent('#amount-problem')).toContain('two different amounts');
    expect(await page.inputValue('#amount')).toBe('1,250');
    expect((await sessions()).length).toBe(before);
  });
});

test.each(LANGUAGES)('an open amount in %s fits a phone and is accessible', async (language) => {
  const openAmount = { minCents: 100, maxCents: 1_000_000, suggestedCents: [300, 500, 1000, 123_456] };
  const page = await newPage({ viewport: PHONE });
  await page.goto(await newUrl({ unitAmountCents: 500, openAmount }, `?lang=${language}`));
  await expectFits(page);
  await expectAccessible(page);
});
