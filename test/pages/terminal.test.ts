import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/browser.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectGood, openPage, scan } from '../support/checkout.ts';
import { newIntent, payIntent } from '../support/payments.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

async function newTerminal(name: string): Promise<string> {
  return (await t.shop.call('POST', '/api/b2b/merchants/terminals', { name })).body.id;
}

async function ring(terminalId: string, amountCents: number) {
  const order = { amountCents, orderId: `t${amountCents}`, terminalId };
  const { body } = await t.shop.call('POST', '/api/merchants/intents', order);
  return { id: body.id, reference: body.referenceAddress };
}

test('a terminal shows the amount due, that it is paid, and then the next payment automatically', async () => {
  const terminal = await newTerminal('Counter 1');
  const page = await openPage(t, `/terminals/${terminal}`);
  await page.getByRole('heading', { name: 'Ready' }).waitFor();
  await expectGood(page);
  const first = await ring(terminal, 1950);
  await page.getByRole('heading', { name: '$19.50' }).waitFor();
  expect(new URL(await scan(page)).searchParams.get('amount')).toBe('19.5');
  await expectGood(page);
  await payIntent(t, first, { amountBaseUnits: 10_000_000n });
  await t.finalize();
  await page.getByRole('heading', { name: '$9.50' }).waitFor();
  expect(new URL(await scan(page)).searchParams.get('amount')).toBe('9.5');
  await expectAccessible(page);
  await payIntent(t, first, { amountBaseUnits: 9_500_000n });
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  await expectAccessible(page);
  await ring(terminal, 700);
  await page.getByRole('heading', { name: '$7.00' }).waitFor();
});

test('a minute after a payment the display is ready again', async () => {
  const terminal = await newTerminal('Counter 3');
  const page = await openPage(t, `/terminals/${terminal}`);
  await page.clock.install();
  const intent = await ring(terminal, 420);
  await payIntent(t, intent, { amountBaseUnits: 4_200_000n });
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  const { clock } = t.service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 50_000);
  await page.reload();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 10_000);
  await page.clock.fastForward(10_000);
  await page.getByRole('heading', { name: 'Ready' }).waitFor();
  expect(await page.locator('main').innerText()).not.toContain('$4.20');
});

test('one that is switched off says so', async () => {
  const terminal = await newTerminal('Counter 2');
  const page = await openPage(t, `/terminals/${terminal}`);
  await page.getByRole('heading', { name: 'Ready' }).waitFor();
  await t.shop.call('PATCH', `/api/b2b/merchants/terminals/${terminal}`, { isActive: false });
  await page.getByRole('heading', { name: 'This terminal isn’t active.' }).waitFor();
  await expectAccessible(page);
});

test('a terminal or an intent that does not exist: 404', async () => {
  const nobody = '01234567-89ab-7cde-8f01-23456789abcd';
  for (const path of [`/terminals/${nobody}`, '/terminals/x', `/intents/${nobody}`, '/intents/x']) {
    expect([path, (await fetch(t.service.url + path)).status]).toEqual([path, 404]);
  }
});

test('a single intent has a page of its own, from waiting to paid', async () => {
  const intent = await newIntent(t.shop, 1250);
  const page = await openPage(t, `/intents/${intent.id}`);
  expect(await page.locator('h1').innerText()).toBe('$12.50');
  await expectGood(page);
  await payIntent(t, intent, { amountBaseUnits: 12_500_000n });
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  await expectGood(page);
});
