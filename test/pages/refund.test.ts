import { address, getProgramDerivedAddress } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_PROGRAM, USDC_MINTS } from '../../src/chain/solana/network.ts';
import { refundMessages } from '../../src/pages/refund/messages/languages.ts';
import type { FormProblem } from '../../src/pages/refund/messages/messages.ts';
import { LANGUAGES } from '../../src/platform/lib/language.ts';
import { newProject } from '../support/billing.ts';
import { expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { installWallet } from '../support/browser-wallet.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectGood, openPage, stage } from '../support/checkout.ts';
import { newIntent } from '../support/payments.ts';
import { visit } from '../support/portal.ts';
import { enter } from '../support/portal-page.ts';
import { claimPath, newRefund, paidSession, refunded, sendRefund } from '../support/refund-journey.ts';
import { createMint, createWallet, tokenAccountOf } from '../support/wallet.ts';

let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

/** A refund whose customer is asked where it should go. */
async function askedRefund(amountCents = 1234) {
  const { paymentIntentId } = await paidSession(t, projectId, { amountCents });
  const refund = await newRefund(t, { paymentIntentId });
  return { ...refund, path: await claimPath(t, refund.id) };
}

const read = async (id: string) => (await t.shop.call('GET', `/api/v2/refunds/${id}`)).body;
const act = async (id: string, action: string, body: object = {}) => {
  const answer = await t.shop.call('POST', `/api/v2/refunds/${id}/${action}`, body);
  expect([action, answer.status, answer.text]).toEqual([action, 200, answer.text]);
};

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('a customer corrects what was wrong, names an address, changes it, and it waits for approval', async () => {
    const { id, path } = await askedRefund();
    const page = await openPage(t, `${path}?lang=de`, { javaScriptEnabled });
    const text = refundMessages.de;
    expect(await page.textContent('.merchant')).toBe('Shop');
    expect(await page.textContent('h1')).toContain('12,34');
    expect(await stage(page).innerText()).toBe(text.asking.title);
    expect(await page.locator('.panel').innerText()).toContain(text.form.warning);
    for (const [typed, problem] of [
      ['', text.form.problems.missing],
      ['0x52908400098527886E0F7030069857D2E4169EE7', text.form.problems.other_network],
      [USDC_MINTS.sandbox, text.form.problems.mint],
      [t.merchant.address, text.form.problems.merchant],
    ] as const) {
      await page.fill('#address', typed);
      await page.click('.panel form button');
      await page.locator('#address-problem', { hasText: problem }).waitFor();
      expect(await page.inputValue('#address')).toBe(typed);
      expect(await page.locator('input:focus').getAttribute('aria-describedby')).toContain('address-problem');
      expect((await read(id)).address).toBeNull();
    }
    const [first, second] = [await createWallet(t.chain), await createWallet(t.chain)];
    for (const { address } of [first, second]) {
      if (!(await page.locator('#address').isVisible())) await page.click('summary');
      await page.fill('#address', ` ${address} `);
      await page.click('.panel form button');
      await page.locator('dd', { hasText: address }).waitFor();
      expect(await stage(page).innerText()).toBe(text.awaitingApproval.title);
      expect(await read(id)).toMatchObject({
        status: 'awaiting_address',
        address,
        addressSource: 'customer',
      });
    }
    await act(id, 'approve-address', { address: second.address });
    await page.reload();
    expect(await stage(page).innerText()).toBe(text.ready.title);
    expect(await page.locator('#address').count()).toBe(0);
  });
});

test.each([true, false])(
  'Back and Reload after a refused address show a page, and send no form again (scripts: %s)',
  async (javaScriptEnabled) => {
    const { path } = await askedRefund();
    const { address } = await createWallet(t.chain);
    const page = await openPage(t, path, { javaScriptEnabled });
    const text = refundMessages.en;
    const isRefused = () => page.locator('#address-problem', { hasText: text.form.problems.mint }).waitFor();
    await page.fill('#address', USDC_MINTS.sandbox);
    await page.click('.panel form button');
    await isRefused();
    await page.reload();
    await isRefused();
    expect(await page.inputValue('#address')).toBe(USDC_MINTS.sandbox);
    await page.goBack();
    expect(await stage(page).innerText()).toBe(text.asking.title);
    expect(await page.locator('#address-problem').count()).toBe(0);
    await page.goForward();
    await isRefused();
    await page.fill('#address', address);
    await page.click('.panel form button');
    await page.locator('dd', { hasText: address }).waitFor();
    // The earlier problem is no longer shown.
    await page.goBack();
    expect(await stage(page).innerText()).toBe(text.awaitingApproval.title);
    expect(await page.locator('#address-problem').count()).toBe(0);
  },
);

test('an open page follows from the approval to the money, and names the transaction', async () => {
  const { id, path } = await askedRefund();
  const { address } = await createWallet(t.chain);
  const page = await openPage(t, path);
  await page.fill('#address', address);
  await page.click('.panel form button');
  await page.getByRole('heading', { name: 'Thank you. The address is saved.' }).waitFor();
  await act(id, 'approve-address', { address });
  await page.getByRole('heading', { name: 'Your refund will be sent soon' }).waitFor();
  await t.shop.call('POST', `/api/v2/sandbox/refunds/${id}/pay`, {});
  t.chain.advanceSlots(2);
  await t.look();
  await page.getByRole('heading', { name: 'Your refund is on its way' }).waitFor();
  await expectGood(page);
  await t.finalize();
  await page.getByRole('heading', { name: 'Your refund has arrived' }).waitFor();
  const { txSignature } = await read(id);
  expect(await page.locator('[data-copy]').getAttribute('data-copy')).toBe(txSignature);
  await expectGood(page);
});

describe('a wallet in the browser', () => {
  test('that paid signs, and nobody has to approve anything', async () => {
    const { id, path } = await askedRefund();
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber' });
    await page.goto(t.service.url + path);
    await page.getByRole('button', { name: 'Use Amber' }).waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Use Amber' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your refund will be sent soon' }).waitFor();
    expect(await read(id)).toMatchObject({
      status: 'ready',
      address: t.customer.address,
      addressSource: 'payer',
    });
    await sendRefund(t, id);
    await page.getByRole('heading', { name: 'Your refund has arrived' }).waitFor();
  });

  test('that did not pay lends its address; one whose owner says no changes nothing', async () => {
    const { id, path } = await askedRefund();
    const other = await createWallet(t.chain);
    const page = await newPage();
    await installWallet(page, t, { name: 'Quill', signer: other.signer });
    await installWallet(page, t, { name: 'Nay', refuses: true });
    await page.goto(t.service.url + path);
    await page.getByRole('button', { name: 'Use Nay' }).click();
    await page.getByText('The wallet did not sign. Nothing was changed.').first().waitFor();
    await page.getByRole('button', { name: 'Use Quill' }).click();
    await page.getByText('We have filled in the address of this wallet.').first().waitFor();
    expect(await page.inputValue('#address')).toBe(other.address);
    expect((await read(id)).address).toBeNull();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you. The address is saved.' }).waitFor();
    expect((await read(id)).address).toBe(other.address);
  });
});

test('every language asks, warns and tells what became of it, on a phone and in the dark', async () => {
  const asked = await askedRefund();
  const canceled = await askedRefund();
  await act(canceled.id, 'cancel');
  for (const locale of LANGUAGES) {
    const text = refundMessages[locale];
    const page = await openPage(t, asked.path, { locale, viewport: PHONE, colorScheme: 'dark' });
    expect(await page.getAttribute('html', 'dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr');
    expect(await stage(page).innerText()).toBe(text.asking.title);
    await page.click('.panel form button');
    await page.locator('#address-problem', { hasText: text.form.problems.missing }).waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await page.goto(t.service.url + canceled.path);
    expect(await stage(page).innerText()).toBe(text.canceled.title);
    await expectAccessible(page);
    await expectFits(page);
  }
});

test('a merchant’s name is text, and what comes in by a form is not run', async () => {
  const evil = '"><script>window.hacked=1</script><img src=x onerror=window.hacked=1>';
  await t.shop.call('PATCH', '/api/b2b/merchants/brand', { name: evil });
  const { path } = await askedRefund();
  const page = await openPage(t, path, { viewport: PHONE });
  await page.fill('#address', evil.slice(0, 90));
  await page.click('.panel form button');
  await page.locator('#address-problem').waitFor();
  expect(await page.textContent('.merchant')).toBe(evil);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('main script, main img').count()).toBe(0);
  await expectFits(page);
  await t.shop.call('PATCH', '/api/b2b/merchants/brand', { name: 'Shop' });
});

describe('the link is a secret', () => {
  test('it does not leak to other sites, search engines, caches or the log', async () => {
    const { path } = await askedRefund();
    for (const at of [path, `${path}/live`, '/refunds/refund_none']) {
      const { headers } = await fetch(t.service.url + at);
      expect([at, headers.get('cache-control')]).toEqual([at, 'no-store']);
    }
    const answer = await fetch(t.service.url + path);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toContain('<meta name="robots" content="noindex, nofollow">');
    const token = path.split('/').pop()!;
    expect(t.service.log.some((line) => line.includes(token))).toBe(false);
  });

  test('404 for a link that is none and for one that another has replaced; 403 for a form of another site', async () => {
    const { id, path } = await askedRefund();
    const post = (at: string, origin: string) =>
      fetch(t.service.url + at, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: `address=${t.customer.address}`,
      }).then(({ status }) => status);
    expect(await post(path, 'https://evil.example')).toBe(403);
    expect((await read(id)).address).toBeNull();
    await claimPath(t, id);
    for (const at of [path, `${path}/live`, `/refunds/refund_${'x'.repeat(43)}`, '/refunds/x']) {
      const answer = await fetch(t.service.url + at);
      expect([at, answer.status]).toEqual([at, 404]);
      expect(await answer.text()).toContain('Page not found');
    }
    expect(await post(path, t.service.url)).toBe(404);
  });
});

describe('in their portal', () => {
  test('a customer sees what was refunded of an invoice, how far the rest is, and the paper for it', async () => {
    const session = await paidSession(t, projectId, { amountCents: 1000, externalCustomerId: 'ann' });
    const { invoiceId, customerId } = session;
    const sent = await refunded(t, { invoiceId, amountCents: 250 });
    await newRefund(t, { invoiceId, amountCents: 100 });
    const page = await newPage();
    await enter(page, { ...t, projectId }, customerId);
    await page.goto(`${t.service.url}/portal/invoices`);
    expect(await page.locator('main').innerText()).toContain('$2.50 of it refunded');
    for (const language of LANGUAGES) {
      await page.goto(`${t.service.url}/portal/invoices/${invoiceId}?lang=${language}`);
      const text = await page.locator('section[aria-labelledby=refunds]').innerText();
      expect(text).toContain(sent.txSignature.slice(0, 6));
      expect(text).toContain('CN-');
      await expectGood(page);
    }
    await page.goto(`${t.service.url}/portal/invoices/${invoiceId}?lang=en`);
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/\$2\.50 refunded on \w+ \d+, \d{4}/);
    expect(text).toContain('$1.00 will be refunded. The address for it is not settled yet.');
    const href = await page.getByRole('link', { name: /^Credit note CN-\d+ \(PDF\)$/ }).getAttribute('href');
    const pdf = await page.request.get(t.service.url + href!);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
  });

  test('404 for what is another customer’s', async () => {
    const theirs = await paidSession(t, projectId, { amountCents: 300, externalCustomerId: 'bea' });
    const refund = await refunded(t, { invoiceId: theirs.invoiceId });
    const own = await paidSession(t, projectId, { amountCents: 300, externalCustomerId: 'cleo' });
    const cleo = await visit(t.service, t.shop, projectId, own.customerId);
    for (const path of [`/refunds/${refund.id}`, `/credit-notes/${refund.creditNoteId}/pdf`])
      expect([path, (await cleo.call('GET', path)).status]).toEqual([path, 404]);
    for (const query of ['', `?invoiceId=${theirs.invoiceId}`])
      expect((await cleo.call('GET', `/refunds${query}`)).body.data).toEqual([]);
  });
});

test('why an address is refused, precisely and in every language', async () => {
  const { id, path } = await askedRefund();
  const fakeMint = await createMint(t.chain.rpcUrl, t.customer.signer, 1_000_000n);
  await t.finalize();
  const program = await getProgramDerivedAddress({
    programAddress: address(TOKEN_PROGRAM),
    seeds: ['nobody'],
  });
  const refused: [string, FormProblem][] = [
    [t.customer.address.slice(0, 12), 'truncated'],
    [`${t.customer.address.slice(0, 4)}…${t.customer.address.slice(-4)}`, 'truncated'],
    ['0x52908400098527886E0F7030069857D2E4169EE7', 'other_network'],
    ['ann.sol', 'name'],
    ['my wallet', 'malformed'],
    [USDC_MINTS.sandbox, 'mint'],
    [fakeMint, 'mint'],
    [TOKEN_PROGRAM, 'program'],
    [await tokenAccountOf(t.customer.address), 'token_account'],
    [await tokenAccountOf(t.customer.address, fakeMint), 'other_token_account'],
    ['1nc1nerator11111111111111111111111111111111', 'no_wallet'],
    [program[0], 'no_account'],
    [t.merchant.address, 'merchant'],
    [(await read(id)).referenceAddress, 'reference'],
    [(await newIntent(t.shop)).reference, 'reference'],
  ];
  for (const language of LANGUAGES) {
    const { problems } = refundMessages[language].form;
    expect(new Set(Object.values(problems)).size).toBe(Object.keys(problems).length);
    for (const [typed, problem] of refused) {
      const answer = await fetch(`${t.service.url}${path}?lang=${language}`, {
        method: 'POST',
        headers: { origin: t.service.url },
        body: new URLSearchParams({ address: typed }),
      });
      const said = /id="address-problem">([^<]*)</.exec(await answer.text())?.[1];
      expect([typed, answer.status, said]).toEqual([typed, 400, problems[problem]]);
    }
  }
  expect((await read(id)).address).toBeNull();
});

test('after 90 days nothing is asked any more, whether or not the refund was ended yet', async () => {
  const { path } = await askedRefund();
  const { clock } = t.service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 91 * 86_400_000);
  const page = await openPage(t, path);
  expect(await stage(page).innerText()).toBe('This refund has expired');
  expect(await page.locator('form').count()).toBe(0);
});
