import { beforeAll, expect, test } from 'vitest';
import { associatedAccount } from '../../src/chain/solana/associated-account.ts';
import { EXCHANGE_WALLETS } from '../../src/chain/solana/exchange-wallets.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { newReferenceAddress } from '../../src/platform/lib/base58.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, payIntent } from '../support/payments.ts';
import { newRefund, paidIntent } from '../support/refunds.ts';
import { call } from '../support/service.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

/** A refund of a payment, with its claim link, whose payer is made another. */
async function refundOf(payer: string | undefined) {
  const { id: paymentIntentId } = await paidIntent(t);
  const { id } = await newRefund(t, { paymentIntentId });
  if (payer !== undefined)
    await t.service.db.query('update refunds set payer_address = $1 where id = $2', [payer, id]);
  const { body: link } = await t.shop.call('POST', `/api/v2/refunds/${id}/claim-link`);
  const token: string = link.url.split('/').pop();
  const { body: refund } = await t.shop.call('GET', `/api/v2/refunds/${id}`);
  const { body: seen } = await call(`${t.service.url}/api/public/refunds/${token}`, 'GET');
  const page = await (await fetch(`${t.service.url}/refunds/${token}`)).text();
  return { refund, seen, page, token };
}

test('a wallet that paid is one, and its owner may sign for the refund', async () => {
  const { refund, seen, page } = await refundOf(undefined);
  const payer = { payerAddress: t.customer.address, payerKind: 'wallet' };
  expect([refund, seen]).toMatchObject([payer, payer]);
  expect(seen.proofMessage).toContain(t.customer.address);
  expect(page).toContain(`data-payer="${t.customer.address}"`);
});

test.each([
  ['program', () => associatedAccount(newReferenceAddress(), USDC_MINTS.sandbox)],
  ['exchange', async () => [...EXCHANGE_WALLETS][0]!],
])('a payer that is a %s is named as such, and offered to nobody', async (payerKind, make) => {
  const payerAddress = await make();
  const { refund, seen, page } = await refundOf(payerAddress);
  expect(refund).toMatchObject({ status: 'awaiting_address', address: null, payerAddress, payerKind });
  expect(seen).toMatchObject({ address: null, payerAddress, payerKind, proofMessage: null });
  expect(page).toContain('data-payer=""');
  expect(page).not.toContain(payerAddress);
});

test('where money without an order came from is said with its kind', async () => {
  const signature = await payIntent(t, await newIntent(t.shop), { references: [] });
  await t.finalize();
  const { body: list } = await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`);
  const { body } = await t.shop.call('GET', `/api/v2/exceptions/${list.data[0].id}/suggestions`);
  expect(body).toMatchObject({ payerAddress: t.customer.address, payerKind: 'wallet' });
});
