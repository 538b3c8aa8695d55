import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, newSession, paySession } from '../support/billing.ts';
import { expectAccessible, expectFits, newPage, PHONE, takeProblems } from '../support/browser.ts';
import { installWallet } from '../support/browser-wallet.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectGood, openPage, pathOf, scan, stage } from '../support/checkout.ts';
import { createWallet } from '../support/wallet.ts';

/** The sentence once a payment is sent, in each language. */
const SENT: Record<string, string> = {
  en: 'Sent. Waiting for the network…',
  de: 'Gesendet. Wir warten auf das Netzwerk…',
  es: 'Enviado. Esperando a la red…',
  fr: 'Envoyé. En attente du réseau…',
  ar: 'تم الإرسال. في انتظار الشبكة…',
};

let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

describe('a wallet in the browser', () => {
  test('is found, connects, signs what the service built, and the page follows it to paid', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1234 });
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber' });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Amber' }).waitFor();
    await expectGood(page);
    // By keyboard alone.
    await page.getByRole('button', { name: 'Pay with Amber' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Sent. Waiting for the network…').first().waitFor();
    // A second click would pay twice, and a look at the page again must not bring it back.
    expect(await page.getByRole('button', { name: 'Pay with Amber' }).isDisabled()).toBe(true);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    t.chain.advanceSlots(2);
    await t.look();
    await page.getByRole('heading', { name: 'Payment detected' }).waitFor();
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await page.locator('.panel').innerText()).toContain('Shop received $12.34.');
  });

  test('that signs and does not send: the service sends it, once, even where its first answer is lost', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 321 });
    const page = await newPage();
    await installWallet(page, t, { name: 'Quill', signsOnly: true });
    let lost = 0;
    await page.route('**/send', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Quill' }).click();
    await page.getByText('Sent. Waiting for the network…').first().waitFor();
    expect([lost, await page.getByRole('button', { name: 'Pay with Quill' }).isDisabled()]).toEqual([
      2,
      true,
    ]);
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await page.locator('.panel').innerText()).toContain('Shop received $3.21.');
    takeProblems();
  });

  test('without a lamport: the page says that no SOL is needed, and the sponsor pays the fee', async () => {
    await t.chain.mintTo(t.merchant.address, 1n);
    const { signer } = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10_000_000n });
    t.chain.advanceSlots(40);
    const session = await newSession(t.shop, projectId, { amountCents: 456 });
    const page = await newPage();
    await installWallet(page, t, { name: 'Quill', signsOnly: true, signer });
    await page.goto(t.service.url + pathOf(session));
    await page.getByText('No SOL in your wallet? The network fee is paid for you.').waitFor();
    await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'always' });
    await page.reload();
    await page.getByText('No SOL needed: the network fee is paid for you.').waitFor();
    await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'when_needed' });
    await expectGood(page);
    // One that can only sign and send in one step pays its own fee, so nothing is promised.
    await installWallet(page, t, { name: 'Amber' });
    await page.reload();
    await page.getByRole('button', { name: 'Pay with Amber' }).waitFor();
    expect(await page.locator('[data-no-sol]').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pay with Quill' }).click();
    await page.getByText('Sent. Waiting for the network…').first().waitFor();
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    const { body } = await t.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
    expect(body).toMatchObject({ status: 'succeeded', paidVia: 'wallet', payerAddress: signer.address });
  });

  test.each([
    ['en', 'We can’t pay the network fee for this wallet. Please approve again'],
    ['de', 'Für diese Wallet können wir die Netzwerkgebühr nicht zahlen.'],
    ['es', 'No podemos pagar la comisión de la red para esta billetera.'],
    ['fr', 'Nous ne pouvons pas payer les frais de réseau pour ce portefeuille.'],
    ['ar', 'لا يمكننا دفع رسوم الشبكة لهذه المحفظة.'],
  ])(
    'that adds what the sponsor does not sign: it is asked once more, and pays its own fee (%s)',
    async (language, sentence) => {
      await t.chain.mintTo(t.merchant.address, 1n);
      const { signer } = await createWallet(t.chain, { lamports: 990_000n, usdcBaseUnits: 10_000_000n });
      t.chain.advanceSlots(40);
      const session = await newSession(t.shop, projectId, { amountCents: 456 });
      const page = await newPage();
      const [from, to] = [signer, t.merchant.address];
      const adds = getTransferSolInstruction({ source: from, destination: to, amount: 1n });
      await installWallet(page, t, { name: 'Quill', signsOnly: true, signer, adds });
      const answers: [number, boolean | undefined][] = [];
      page.on('response', async (response) => {
        if (/\/(transaction|send)$/.test(response.url())) {
          const { isSponsored } = (await response.json()) as { isSponsored?: boolean };
          answers.push([response.status(), isSponsored]);
        }
      });
      const said: string[] = [];
      await page.exposeFunction('note', (text: string) => said.push(text));
      await page.goto(`${t.service.url}${pathOf(session)}?lang=${language}`);
      await page.evaluate(`new MutationObserver(() => note(document.querySelector('[data-progress]')?.textContent ?? ''))
      .observe(document.querySelector('[data-progress]'), { childList: true })`);
      await page.getByRole('button', { name: /Quill/ }).click();
      await page.getByText(SENT[language]!).first().waitFor();
      await expectAccessible(page);
      expect(said.some((text) => text.startsWith(sentence))).toBe(true);
      await t.finalize();
      const { body } = await t.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
      expect(body).toMatchObject({
        status: 'succeeded',
        amountReceivedCents: 456,
        payerAddress: signer.address,
      });
      expect(answers).toEqual([
        [200, true],
        [400, undefined],
        [200, false],
        [202, undefined],
      ]);
      takeProblems();
    },
  );

  test('whose payment cannot be sent: says that it is unsure, and not to pay again at once', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await newPage();
    await installWallet(page, t, { name: 'Quill', signsOnly: true });
    await page.route('**/send', (route) => route.abort());
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Quill' }).click();
    await page.getByText('We can’t tell yet whether your payment was sent.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Pay with Quill' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    takeProblems();
  });

  test('whose owner says no: says that nothing was paid, and can be asked again', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber', refuses: true });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Amber' }).click();
    await page.getByText('Payment canceled in your wallet. You haven’t been charged.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Pay with Amber' }).isEnabled()).toBe(true);
    await expectAccessible(page);
  });

  test('that the service refuses: says so in the language of the page', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber' });
    // Before the page opens its stream: one that is open would show what happened, and take the button away.
    await page.route(/\/live(\?|$)/, (route) => route.abort());
    await page.goto(`${t.service.url + pathOf(session)}?lang=de`);
    await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    await page.getByRole('button', { name: 'Amber' }).click();
    await page.getByText('Diese Zahlung ist nicht zustande gekommen.').first().waitFor();
    takeProblems();
  });

  test.each(['connecting', 'signing'] as const)(
    'that hangs when %s: says so, and a second click cannot pay twice',
    async (hangs) => {
      const session = await newSession(t.shop, projectId, {});
      const page = await newPage();
      await installWallet(page, t, { name: 'Amber', hangs });
      await page.clock.install();
      await page.goto(t.service.url + pathOf(session));
      await page.getByRole('button', { name: 'Pay with Amber' }).click();
      const before = hangs === 'connecting' ? 'Connecting to your wallet…' : 'Please approve the payment';
      await page.getByText(before).first().waitFor();
      await page.clock.fastForward(30_000);
      await page.getByText('Your wallet isn’t responding.').first().waitFor();
      expect(await page.getByRole('button', { name: 'Pay with Amber' }).isDisabled()).toBe(true);
      await expectAccessible(page);
    },
  );

  test('without SOL, that pays its own fee: says what is missing', async () => {
    const { signer } = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10_000_000n });
    t.chain.advanceSlots(40);
    const session = await newSession(t.shop, projectId, { amountCents: 100 });
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber', signer });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Amber' }).click();
    await page.getByText('Your wallet doesn’t have enough SOL for the network fee.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Pay with Amber' }).isEnabled()).toBe(true);
    await expectAccessible(page);
  });

  test('with too little USDC: says what is missing', async () => {
    const { signer } = await createWallet(t.chain, { usdcBaseUnits: 10_000n });
    t.chain.advanceSlots(40);
    const session = await newSession(t.shop, projectId, { amountCents: 100 });
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber', signer });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Amber' }).click();
    await page.getByText('Your wallet doesn’t have enough USDC.').first().waitFor();
  });

  test.each([
    ['en', 'Your wallet is set to another network. Switch it to Solana localnet and try again.'],
    ['de', 'Ihre Wallet ist auf ein anderes Netzwerk eingestellt.'],
    ['es', 'Su billetera está en otra red.'],
    ['fr', 'Votre portefeuille utilise un autre réseau.'],
    ['ar', 'محفظتك على شبكة أخرى.'],
  ])('set to another network: says which it should be (%s)', async (language, sentence) => {
    const session = await newSession(t.shop, projectId, {});
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber', accountChains: ['solana:mainnet'] });
    await page.goto(`${t.service.url}${pathOf(session)}?lang=${language}`);
    await page.getByRole('button', { name: /Amber/ }).click();
    await page.getByText(sentence).first().waitFor();
    await expectAccessible(page);
  });

  test('of another chain is not offered', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await newPage();
    await installWallet(page, t, { name: 'Main', chains: ['solana:mainnet'] });
    await installWallet(page, t, { name: 'Local' });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Local' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pay with Main' }).count()).toBe(0);
  });

  test('pays the rest of what was underpaid', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1000 });
    await paySession(t, session, 999);
    await t.finalize();
    const page = await newPage();
    await installWallet(page, t, { name: 'Amber' });
    await page.goto(t.service.url + pathOf(session));
    await page.getByRole('button', { name: 'Pay with Amber' }).click();
    await page.getByText('Sent. Waiting for the network…').first().waitFor();
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await page.locator('.panel').innerText()).toContain('Shop received $10.00.');
  });
});

describe('on a phone', () => {
  test('wallet apps come first: the payment itself, and our page inside each wallet', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await openPage(t, pathOf(session), { viewport: PHONE });
    const open = page.getByText('Open in wallet app');
    expect(await open.getAttribute('href')).toBe(await scan(page));
    const [link, code] = await Promise.all([open.boundingBox(), page.locator('svg.qr').boundingBox()]);
    expect(link!.y).toBeLessThan(code!.y);
    const phantom = (await page.getByText('Open in Phantom').getAttribute('href'))!;
    expect(decodeURIComponent(phantom)).toContain(pathOf(session));
    await expectFits(page);
    await page.getByText('No wallet yet?').click();
    expect(await page.getByText('Get Phantom').getAttribute('href')).toBe('https://phantom.app/download');
    await expectFits(page);
    await expectAccessible(page);
  });

  test('on a desktop they are away', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await openPage(t, pathOf(session));
    expect(await page.getByText('Open in wallet app').isVisible()).toBe(false);
  });
});

describe('without scripts', () => {
  test('everything is there to pay by code or by hand, and a link shows its status', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 750 });
    const page = await openPage(t, pathOf(session), { javaScriptEnabled: false });
    expect(new URL(await scan(page)).searchParams.get('amount')).toBe('7.5');
    await page.getByText('Pay manually').click();
    expect(await page.locator('.by-hand').innerText()).toContain('7.5 USDC');
    expect(await page.locator('button[data-copy]').first().isVisible()).toBe(false);
    await paySession(t, session);
    await t.finalize();
    await page.getByText('Check again').click();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  });

  test('saying that it is paid works too', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await openPage(t, pathOf(session), { javaScriptEnabled: false });
    await page.getByText('I’ve paid').click();
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await page.getByText('We’re looking for your payment').waitFor();
  });
});

describe('where nothing can be pushed', () => {
  test('the page polls automatically and shows the payment all the same', async () => {
    const session = await newSession(t.shop, projectId, {});
    const page = await newPage();
    await page.route('**/live', (route) =>
      route.request().headers().accept?.includes('event-stream') ? route.abort() : route.continue(),
    );
    await page.goto(t.service.url + pathOf(session));
    await paySession(t, session);
    await t.finalize();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    takeProblems();
  });
});

describe('the test wallet', () => {
  test.each([
    ['Pay exactly', 'Paid. Thank you!'],
    ['Pay less', '$2.50 left to pay'],
    ['Pay more', 'Paid. Thank you!'],
    ['Pay twice', 'Paid. Thank you!'],
    ['Fail on chain', 'Pay with USDC on Solana'],
    ['Pay with another token', 'Pay with USDC on Solana'],
    ['Pay without a reference', 'Pay with USDC on Solana'],
    ['Pay late', 'Paid. Thank you!'],
  ])('%s: %s', async (button, heading) => {
    const session = await newSession(t.shop, projectId, {});
    const page = await openPage(t, pathOf(session));
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForURL(/lang=en/);
    await t.finalize();
    // Looks by reference rest a few seconds between each other.
    t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + 6_000);
    // One at a time, and other pages were open before this one.
    for (let looks = 0; looks < 40; looks++) await t.lookCloser();
    await t.look();
    if (button === 'Fail on chain') await page.getByText('Your last attempt failed').waitFor();
    if (button === 'Pay with another token') await page.getByText('5 of an unknown token').waitFor();
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await stage(page).innerText()).toBe(heading);
    await expectAccessible(page);
  });

  test('is away once nothing is due', async () => {
    const session = await newSession(t.shop, projectId, {});
    await paySession(t, session);
    await t.finalize();
    const page = await openPage(t, pathOf(session));
    expect(await page.getByText(/test wallet/i).count()).toBe(0);
  });
});
