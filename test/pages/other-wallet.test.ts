import { beforeAll, expect, test } from 'vitest';
import { newProject, newSession } from '../support/billing.ts';
import { expectFits, PHONE } from '../support/browser.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectGood, openPage, pathOf, scan } from '../support/checkout.ts';
import { newIntent, payIntent, readIntent } from '../support/payments.ts';
import { call } from '../support/service.ts';

/** Paying from an exchange or a wallet that sends no reference, by an amount of which every digit counts. */
let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

const TITLE = 'Pay from an exchange or another wallet';
const ASK = 'Show the exact amount';

test('the exact amount is shown on request, can be copied and scanned, and pays the checkout', async () => {
  const session = await newSession(t.shop, projectId, { amountCents: 1250 });
  const page = await openPage(t, pathOf(session));
  await page.getByText(TITLE).click();
  await page.getByRole('button', { name: ASK }).click();
  await page.getByText('Send exactly this amount. It tells us that the payment is yours.').waitFor();
  expect(new URL(page.url()).hash).toBe('#other-wallet');
  await expectGood(page);

  const part = page.locator('#other-wallet');
  const shown = await part.locator('code').allInnerTexts();
  expect(shown).toEqual([expect.stringMatching(/^12\.50\d{1,4} USDC$/), t.merchant.address]);
  const amount = shown[0]!.replace(' USDC', '');
  expect(
    await part.locator('[data-copy]').evaluateAll((all) => all.map((each) => each.dataset.copy)),
  ).toEqual([amount, t.merchant.address]);
  const url = await scan(part);
  expect(url).toMatch(
    new RegExp(`^solana:${t.merchant.address}\\?amount=${amount.replace('.', '\\.')}&spl-token=\\w+$`),
  );

  // The same again, for a payer who comes back.
  await page.goto(t.service.url + pathOf(session));
  expect(await part.locator('code').first().innerText()).toBe(shown[0]);

  const [whole, fraction] = amount.split('.');
  const amountBaseUnits = BigInt(whole! + fraction!.padEnd(6, '0'));
  t.chain.advanceSlots(1);
  const intent = { id: session.paymentIntentId, reference: t.merchant.address };
  await payIntent(t, intent, { references: [], amountBaseUnits });
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  expect(await page.locator('.panel').innerText()).toContain('Shop received $12.50.');
  expect(await page.locator('.panel').innerText()).not.toContain('overpaid');
});

test('without scripts, on a phone, in another language: the same, and the test wallet pays it', async () => {
  const intent = await newIntent(t.shop, 300);
  const page = await openPage(t, `/intents/${intent.id}?lang=de`, {
    javaScriptEnabled: false,
    viewport: PHONE,
  });
  await page.getByText('Von einer Börse oder einer anderen Wallet bezahlen').click();
  await page.getByRole('button', { name: 'Genauen Betrag anzeigen' }).click();
  await page.getByText('Senden Sie genau diesen Betrag.', { exact: false }).waitFor();
  await expectFits(page);
  expect(await page.locator('#other-wallet code').first().innerText()).toMatch(/^3\.00\d{1,4} USDC$/);
  t.chain.advanceSlots(1);
  await page.getByRole('button', { name: 'Genauen Betrag ohne Referenz bezahlen' }).click();
  await page.waitForLoadState();
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 300 });
  const { txSignature } = (await t.shop.call('GET', `/api/merchants/intents/${intent.id}`)).body;
  const params = [
    txSignature,
    { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ];
  const sent = await call(t.chain.rpcUrl, 'POST', {
    jsonrpc: '2.0',
    id: 1,
    method: 'getTransaction',
    params,
  });
  expect(sent.body.result.meta.err).toBeNull();
  expect(sent.text).not.toContain(intent.reference);
});

test('where all amounts of a price are taken, the page says so, and every other way stays', async () => {
  const [holder, intent] = [await newIntent(t.shop, 55), await newIntent(t.shop, 55)];
  await t.service.db.query(
    `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
     select $1, $2, $3, 550000 + fraction, now() from generate_series(1, 9999) fraction`,
    [t.shop.id, holder.id, t.merchant.address],
  );
  const page = await openPage(t, `/intents/${intent.id}`);
  await page.getByText(TITLE).click();
  await page.getByRole('button', { name: ASK }).click();
  await page.getByText('We can’t reserve an exact amount right now. Please pay in another way.').waitFor();
  await expectGood(page);
  expect(await page.locator('.panel > .scan svg.qr').isVisible()).toBe(true);
});

test('it is not offered by a merchant that shares its address with the one that owns it', async () => {
  const second = await t.service.createMerchant('Second');
  const { id } = await newIntent(second);
  await t.service.db.query(
    `insert into payout_addresses (merchant_id, address, is_shared, created_at) values ($1, $2, true, now())`,
    [second.id, t.merchant.address],
  );
  await t.service.db.query('update payment_intents set destination_address = $2 where id = $1', [
    id,
    t.merchant.address,
  ]);
  const page = await openPage(t, `/intents/${id}`);
  await page.getByText('Pay manually').waitFor();
  expect(await page.getByText(TITLE).count()).toBe(0);
});
