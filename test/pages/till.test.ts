import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newPrice } from '../support/billing.ts';
import { expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { scan } from '../support/checkout.ts';
import { payIntent } from '../support/payments.ts';
import { newPlace, TILLS } from '../support/till.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

const TABLET = { width: 1024, height: 768 };

async function newCode(tipPercents: number[] = []) {
  const place = await newPlace(t.shop);
  const { body } = await t.shop.call('POST', TILLS, { ...place, tipPercents });
  return { ...place, id: body.id as string, code: body.code as string };
}

/** Phones are paired by a link: the code comes in the fragment and takes a tap. */
async function pair(page: Page, code: string): Promise<void> {
  await page.goto(`${t.service.url}/till#code=${code.replace('-', '')}`);
  await page.getByRole('button', { name: 'Pair till' }).click();
}

/** Expects a page to be right in light and dark, on the phone and on a tablet; it is left as it was. */
async function expectGood(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFits(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(TABLET);
  await expectAccessible(page);
  await expectFits(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
}

async function currentIntent(terminalId: string) {
  const { body } = await t.shop.call('GET', `/api/merchants/intents?terminalId=${terminalId}&limit=1`);
  const [{ id, referenceAddress }] = body.data;
  return { id, reference: referenceAddress };
}

test('pair, sell items with a tip, get paid, ask for a refund: at 390 px', async () => {
  const till = await newCode([10, 20]);
  const price = await newPrice(t.shop, till.projectId, { unitAmountCents: 350 });
  const { body: product } = await t.shop.call('GET', `/api/v2/products/${price.productId}`);
  const page = await newPage({ viewport: PHONE, isApp: true });
  await page.goto(`${t.service.url}/till#code=${till.code}`);
  const field = page.getByLabel('Code');
  expect([page.url(), await field.inputValue()]).toEqual([`${t.service.url}/till`, till.code]);
  await expectGood(page);
  await page.getByRole('button', { name: 'Pair till' }).click();

  const item = page.getByRole('button', { name: product.name, exact: false }).first();
  await item.click();
  await item.click();
  for (const key of ['1', '2', '00']) await page.getByRole('button', { name: key, exact: true }).click();
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Charge $8.20' }).waitFor();
  await expectGood(page);
  await page.getByRole('button', { name: 'Charge $8.20' }).click();
  await page.getByRole('heading', { name: 'Add a tip?' }).waitFor();
  await expectGood(page);
  await page.getByRole('button', { name: '10%' }).click();

  await page.getByRole('heading', { name: '$9.02' }).waitFor();
  expect(new URL(await scan(page)).searchParams.get('amount')).toBe('9.02');
  await expectGood(page);
  const intent = await currentIntent(till.terminalId);
  await payIntent(t, intent, { amountBaseUnits: 5_000_000n });
  await t.finalize();
  await page.getByRole('heading', { name: '$4.02' }).waitFor();
  await page.getByText('$5.00 has arrived, $4.02 is missing.').waitFor();
  expect(new URL(await scan(page)).searchParams.get('amount')).toBe('4.02');
  await page.reload();
  await page.getByRole('heading', { name: '$4.02' }).waitFor();
  await payIntent(t, intent, { amountBaseUnits: 5_020_000n });
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  await page.getByText('The customer paid $1.00 too much.').waitFor();
  await expectGood(page);

  await page.getByRole('button', { name: 'Sales', exact: true }).click();
  await page.getByRole('button', { name: 'Sale 1' }).waitFor();
  await expectGood(page);
  await page.getByRole('button', { name: 'Sale 1' }).click();
  await page.getByLabel('Reason (optional)').fill('Spilled');
  await expectGood(page);
  await page.getByRole('button', { name: 'Ask for a refund' }).click();
  await page.getByText('The request was sent to the owner.').waitFor();
  const { body } = await t.shop.call('GET', '/api/b2b/merchants/refund-requests?status=open');
  expect(body.data).toMatchObject([{ paymentIntentId: intent.id, reason: 'Spilled', receivedCents: 1002 }]);

  const other = await newPage({ viewport: PHONE, isApp: true });
  await pair(other, till.code);
  await other.getByText('This code doesn’t work.').waitFor();
  await expectAccessible(other);
});

test('unpaired, offline and canceled: each says what to do next, also in Arabic', async () => {
  const till = await newCode();
  const page = await newPage({ viewport: PHONE, isApp: true });
  await pair(page, till.code);
  await page.getByRole('button', { name: 'Enter an amount' }).waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.keyboard.type('1250');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '$12.50' }).waitFor();
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await page.getByRole('heading', { name: 'Sale canceled' }).waitFor();

  const kept = await page.evaluate<string[]>(
    `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
       .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`,
  );
  expect(kept).toContain('/till');
  expect(kept.filter((path) => !/^\/(till|assets\/)/.test(path))).toEqual([]);
  await page.context().setOffline(true);
  await page.getByText('No connection.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'The till can’t reach the server' }).waitFor();
  await expectAccessible(page);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Enter an amount' }).waitFor();
  await page.goto(`${t.service.url}/till?lang=ar`);
  await page.getByRole('button', { name: 'أدخل المبلغ' }).waitFor();
  await page.keyboard.type('500');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: '5.00' }).waitFor();
  await expectGood(page);
  expect((await t.shop.call('DELETE', `${TILLS}/${till.id}`)).status).toBe(204);
  await page.getByText('أُلغي إقران نقطة البيع هذه.').waitFor();
  await expectGood(page);
});

test('a lost answer, a restart, another’s page and a changed price: no sale is made twice, and none goes unnoticed', async () => {
  const till = await newCode();
  const price = await newPrice(t.shop, till.projectId, { unitAmountCents: 350 });
  const { body: product } = await t.shop.call('GET', `/api/v2/products/${price.productId}`);
  const page = await newPage({ viewport: PHONE, isApp: true });
  // Older browsers, and pages over plain http, lack this function.
  await page.addInitScript('delete Crypto.prototype.randomUUID');
  await pair(page, till.code);
  const coffee = page.getByRole('button', { name: product.name, exact: false }).first();
  await coffee.waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  expect(await page.getByRole('button', { name: 'Clear' }).isVisible()).toBe(false);
  await page.evaluate(`document.dispatchEvent(new KeyboardEvent('keydown', { key: '٥' }))`);
  await page.getByRole('button', { name: '00', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '$5.00' }).waitFor();
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await page.getByRole('button', { name: 'New sale' }).click();

  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/api/till/sales', lose, { times: 1 });
  await coffee.click();
  await page.getByRole('button', { name: 'Charge $3.50' }).click();
  await page.getByText('No answer yet.').waitFor();
  await expectGood(page);
  await page.getByRole('heading', { name: '$3.50' }).waitFor();
  const { body: made } = await t.shop.call('GET', `/api/merchants/intents?terminalId=${till.terminalId}`);
  expect(made.data.map(({ status }: { status: string }) => status)).toEqual(['pending', 'canceled']);

  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'The till can’t reach the server' }).waitFor();
  await payIntent(t, await currentIntent(till.terminalId), { amountBaseUnits: 3_500_000n });
  await t.finalize();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  await page.getByRole('button', { name: 'New sale' }).click();

  await page.route('**/api/till', (route) => route.fulfill({ contentType: 'text/html', body: '<html>Wifi' }));
  await page.reload();
  await page.getByRole('heading', { name: 'The till can’t reach the server' }).waitFor();
  await page.unroute('**/api/till');
  await coffee.click();
  await t.shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: false });
  await page.keyboard.type('500');
  await page.getByRole('button', { name: 'Charge $8.50' }).click();
  await page.getByRole('heading', { name: 'An item has changed' }).waitFor();
  await page.getByText(product.name).waitFor();
  await expectGood(page);
  await page.getByRole('button', { name: 'Back to the sale' }).click();
  await page.getByRole('button', { name: 'Charge $5.00' }).waitFor();
});

test('the app can be installed: a manifest, icons, a worker, and the same policy as every page', async () => {
  const page = await fetch(`${t.service.url}/till?lang=de`);
  const text = await page.text();
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("manifest-src 'self'");
  expect(policy).not.toContain('unsafe');
  const href = /<link rel="manifest" href="([^"]+)"/.exec(text)![1]!;
  const manifest = (await (await fetch(t.service.url + href)).json()) as {
    start_url: string;
    display: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest).toMatchObject({ start_url: '/till?lang=de', display: 'standalone', scope: '/till' });
  for (const { src, sizes } of manifest.icons) {
    const icon = await fetch(t.service.url + src);
    const bytes = Buffer.from(await icon.arrayBuffer());
    expect(icon.headers.get('content-type')).toBe('image/png');
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  const worker = await fetch(`${t.service.url}/till/worker.js`);
  expect(worker.headers.get('service-worker-allowed')).toBe('/till');
  expect(await worker.text()).not.toContain("FILES']");
});
