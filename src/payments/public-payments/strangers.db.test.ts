import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { testChain } from '../../../test/support/chain.ts';
import { newIntent, signed, signedPayment } from '../../../test/support/payments.ts';
import { call, type TestMerchant } from '../../../test/support/service.ts';

const ENV = { RATE_LIMIT_PUBLIC_PER_SECOND: '1000', RATE_LIMIT_KEY_PER_SECOND: '0', TRUST_PROXY: 'true' };

const from = (ip: string) => ({ 'x-forwarded-for': ip });

/** Requests a transaction, as the page does, and signs it, as a wallet does; each attempt is another transaction. */
async function page(url: string, id: string, signer: KeyPairSigner, ip: string) {
  const { body } = await call(
    `${url}/api/public/intents/${id}/transaction`,
    'POST',
    { account: signer.address },
    from(ip),
  );
  return { ...body, transaction: await signed(body.transaction, signer) };
}

test.each([
  ['203.0.113.1', '203.0.113.2', '203.0.113.3'],
  ['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1'],
])('worthless transactions from %s and two more use up the calls of nobody else', async (...strangers) => {
  const t = await testChain(ENV);
  const { url } = t.service;
  const poor = await generateKeyPairSigner();
  const send = (id: string, transaction: string, ip: string) =>
    call(`${url}/api/public/intents/${id}/send`, 'POST', { transaction }, from(ip));
  const statuses = new Map<number, number>();
  const intents = await Promise.all(Array.from({ length: 12 }, () => newIntent(t.shop)));
  const worthless = await Promise.all(intents.map(({ id }) => signedPayment(t, id, poor)));
  // Every stranger sends until refused.
  for (const stranger of strangers)
    for (const [i, { id }] of intents.entries())
      for (let tries = 0; tries < 5; tries++) {
        const { status } = await send(id, worthless[i]!, stranger);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
  expect([...statuses.keys()].sort()).toEqual([409, 429]);

  // The same shop, and another, for somebody else; at the very intent that was tried, too.
  const other: TestMerchant = await t.service.createMerchant('Other', t.customer.address);
  expect(other.id).not.toBe(t.shop.id);
  const payer = '198.51.100.7';
  for (const { id } of [await newIntent(t.shop), intents[0]!]) {
    const answer = await send(id, await signedPayment(t, id), payer);
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('signature')]);
  }
});

test('one network of IPv6 is one client, however many addresses it has', async () => {
  const t = await testChain(ENV);
  const poor = await generateKeyPairSigner();
  const intents = await Promise.all(Array.from({ length: 40 }, () => newIntent(t.shop)));
  const answers = await Promise.all(
    intents.map(async ({ id }, i) =>
      call(
        `${t.service.url}/api/public/intents/${id}/send`,
        'POST',
        { transaction: await signedPayment(t, id, poor) },
        from(`2001:db8:1::${i + 1}`),
      ),
    ),
  );
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([409, 429]);
});

test('looks at whether fees can be paid are used up by nobody else either', async () => {
  const t = await testChain(ENV);
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
  await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'always' });
  const { url } = t.service;
  const { id } = await newIntent(t.shop);
  const asked = Array.from({ length: 90 }, (_, i) => page(url, id, t.customer.signer, `203.0.113.${i % 3}`));
  const offered = (await Promise.all(asked)).map(({ isSponsored }) => isSponsored);
  expect([...new Set(offered)].sort()).toEqual([false, true]);
  const fair = await page(url, (await newIntent(t.shop)).id, t.customer.signer, '198.51.100.7');
  expect(fair.isSponsored).toBe(true);
});
