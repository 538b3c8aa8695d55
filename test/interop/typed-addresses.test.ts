import { beforeAll, expect, test } from 'vitest';
import { newLink, paySession, readSession } from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { call } from '../support/service.ts';
import * as x402 from './x402-client.ts';

let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
});

const linkOf = async (fields: object): Promise<string> =>
  (await newLink(t.shop, projectId, { collectCustomerEmail: true, ...fields })).paymentLink.publicToken;

const BUYER = 'buyer@example.com';

test('a wallet that came with another’s address gets none of the credits that person buys', async () => {
  const wallet = await x402.programWallet(t);
  const cheap = `${t.service.url}/pay/${await linkOf({ unitAmountCents: 5 })}`;
  const receipt = await x402.bodyOf(await x402.payAt(t, wallet, `${cheap}?email=${BUYER}`));
  await t.finalize();
  const stranger = (await readSession(t.shop, receipt.checkoutSessionId)).customerId;

  const credits = await linkOf({
    billingMode: 'balance_top_up',
    unitAmountCents: 1_000,
    creditAmount: 1_000,
  });
  const checkout = `${t.service.url}/api/v2/payment-links/${credits}/checkout`;
  const { body } = await call(checkout, 'POST', { customerEmail: BUYER });
  await paySession(t, await readSession(t.shop, body.sessionId));
  await t.finalize();
  const bought = await readSession(t.shop, body.sessionId);
  expect([bought.status, bought.customerId === stranger]).toEqual(['complete', false]);

  const { data } = (await t.shop.call('GET', `/api/v2/customers?externalCustomerId=solana:${wallet.address}`))
    .body;
  expect(data).toMatchObject([{ id: stranger, creditBalance: 0 }]);
});
