import { createSolanaRpc } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import { challengeOf, credentialFor, present } from './mpp-client.ts';
import { bodyOf, programWallet, sendPayment, signOffer } from './x402-client.ts';

/** A link with `maxPayments` sells that many, to any buyer and by any protocol. */
let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  t.chain.advanceSlots(40);
});

interface Limited {
  id: string;
  publicToken: string;
  url: string;
}

async function limitedLink(maxPayments: number): Promise<Limited> {
  const setUp = { projectId, productName: 'Seat', billingMode: 'one_time', unitAmountCents: 250 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  const link = body.paymentLink;
  await t.shop.call('PATCH', `/api/v2/payment-links/${link.id}`, { maxPayments });
  return { ...link, url: `${t.service.url}/pay/${link.publicToken}` };
}

const open = ({ publicToken }: Limited) =>
  call(`${t.service.url}/api/v2/payment-links/${publicToken}/checkout`, 'POST', {});
const readLink = async ({ id }: Limited) => (await t.shop.call('GET', `/api/v2/payment-links/${id}`)).body;

async function balanceOf({ usdcAccount }: Wallet): Promise<bigint> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const { value } = await rpc.getTokenAccountBalance(usdcAccount, { commitment: 'processed' }).send();
  return BigInt(value.amount);
}

const paysByMpp = () => createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10_000_000n });

test.each([1, 3])('%i sold of that many, where buyers of every kind race', async (maxPayments) => {
  const link = await limitedLink(maxPayments);
  const wallets = await Promise.all([1, 2, 3].map(() => programWallet(t, 10_000_000n)));
  const others = await Promise.all([1, 2, 3].map(paysByMpp));
  const signed: { headers: Record<string, string> }[] = [];
  for (const wallet of wallets) signed.push(await signOffer(t, wallet, link.url));
  const credentials: string[] = [];
  for (const wallet of others) credentials.push(await credentialFor(t, wallet, link.url));
  const answers = await Promise.all([
    ...signed.map(({ headers }) => sendPayment(t, link.url, headers)),
    ...credentials.map((credential) => present(t, link.url, credential)),
    ...[1, 2].map(() => open(link)),
  ]);
  const taken = answers.filter(({ status }) => status === 200 || status === 201);
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  expect(taken).toHaveLength(maxPayments);
  await t.finalize();
  const spent = await Promise.all(
    [...wallets, ...others].map(async (wallet) => 10_000_000n - (await balanceOf(wallet))),
  );
  const bought = answers.slice(0, 6).map(({ status }) => (status === 200 ? 2_500_000n : 0n));
  expect(spent).toEqual(bought);
  expect((await readLink(link)).paymentsCount).toBe(bought.filter((cents) => cents > 0n).length);
  await expectSoundBooks(t);
});

test('while the last one is being bought nothing is offered, and given back it is sold', async () => {
  const link = await limitedLink(1);
  const wallet = await programWallet(t, 10_000_000n);
  const early = await signOffer(t, wallet, link.url);
  const first = await open(link);
  expect(first.status).toBe(201);
  const second = await open(link);
  expect([second.status, second.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect(second.body.error.message).toMatch(/being bought/);
  const paid = await sendPayment(t, link.url, early.headers);
  expect([paid.status, (await bodyOf(paid)).error?.message]).toEqual([409, second.body.error.message]);
  expect(await balanceOf(wallet)).toBe(10_000_000n);
  expect((await call(link.url, 'GET', undefined, { accept: 'application/json' })).status).toBe(409);
  const ended = await t.shop.call('POST', `/api/v2/checkout-sessions/${first.body.sessionId}/cancel`);
  expect(ended.status).toBe(200);
  const again = await sendPayment(t, link.url, (await signOffer(t, wallet, link.url)).headers);
  expect(again.status).toBe(200);
  await t.finalize();
  expect(await readLink(link)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
});

test('a program that sends its own payment for what was sold meanwhile: refused with the reason, its money is shown to the merchant with the order', async () => {
  const link = await limitedLink(1);
  const rich = await createWallet(t.chain, { lamports: 10n ** 9n, usdcBaseUnits: 10_000_000n });
  const other = await programWallet(t, 10_000_000n);
  t.chain.advanceSlots(2);
  const pushed = await credentialFor(t, rich, `${link.url}?fees=payer`, { broadcast: true });
  expect(await balanceOf(rich)).toBe(7_500_000n);
  const first = await sendPayment(t, link.url, (await signOffer(t, other, link.url)).headers);
  expect(first.status).toBe(200);
  const second = await present(t, link.url, pushed);
  expect(second.status).toBeGreaterThanOrEqual(400);
  expect(second.status).toBeLessThan(500);
  expect(await second.text()).toMatch(/no longer|ended|being bought|closed/i);
  await t.finalize();
  for (let i = 0; i < 3; i++) await t.lookCloser();
  const { body } = await t.shop.call('GET', '/api/v2/exceptions?status=open&limit=100');
  const { order } = challengeOf(pushed).opaque as { order: string };
  expect(body.data.filter(({ amountCents }: { amountCents: number }) => amountCents === 250)).toEqual([
    expect.objectContaining({ kind: 'canceled', paymentIntentId: order }),
  ]);
  expect(await readLink(link)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
  await expectSoundBooks(t);
});
