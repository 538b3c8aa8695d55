import { generateKeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newAddress, type TestMerchant } from '../support/service.ts';
import { createMultisig, createNonce, createToken2022, token2022AccountOf } from '../support/tokens.ts';
import { createMint, createWallet, memoProgram, settle } from '../support/wallet.ts';

/** Addresses are checked on chain before money may be sent there. */
let t: TestChain;
let merchant: TestMerchant;

beforeAll(async () => {
  t = await testChain();
  merchant = await t.service.createMerchant('Careless', null);
});

const PATH = '/api/b2b/merchants/payout-address';
const set = (payoutAddress: string) => merchant.call('PATCH', PATH, { payoutAddress });

test('400 for a program, a mint, a token account, whichever token program they are of, and it says what it is', async () => {
  const { rpcUrl } = t.chain;
  const payer = t.customer.signer;
  const mint = await createMint(rpcUrl, payer, 1n);
  const newer = await createToken2022(rpcUrl, payer, 1n, 100);
  const multisig = await createMultisig(rpcUrl, payer, [payer.address, t.merchant.address]);
  settle(t.chain, 'confirmed');
  const cases: [string, string][] = [
    [memoProgram, 'is the memo program'],
    ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 'is a program'],
    [mint, 'is a mint'],
    [newer, 'is a mint'],
    [t.customer.usdcAccount, 'is a token account, not the wallet'],
    [await token2022AccountOf(payer.address, newer), 'is the account of another token, not a wallet'],
    [multisig, 'is an account of the token program'],
  ];
  for (const [address, what] of cases) {
    const answers = [
      await set(address),
      await merchant.call('POST', '/api/v2/projects', { name: 'a', payoutAddress: address }),
    ];
    for (const { status, body } of answers) {
      expect([what, status, body.error?.message]).toEqual([
        what,
        400,
        expect.stringContaining(`payoutAddress ${what}`),
      ]);
    }
  }
  expect((await merchant.call('GET', PATH)).body.payoutAddress).toBeNull();
  expect((await merchant.call('GET', '/api/v2/projects')).body.data).toEqual([]);
});

test('200 for a wallet, whether the chain has seen it or not, and for an account that holds a nonce', async () => {
  const used = await createWallet(t.chain);
  const nonce = await createNonce(t.chain.rpcUrl, t.customer.signer, () => t.chain.advanceSlots(1));
  for (const address of [used.address, newAddress(), nonce.nonceAccountAddress]) {
    const answer = await set(address);
    expect([answer.status, answer.body.payoutAddress]).toEqual([200, address]);
  }
});

test('503 while no node answers, and nothing changes; it works when one is back', async () => {
  const before = (await merchant.call('GET', PATH)).body;
  const { address } = await generateKeyPairSigner();
  t.chain.faults.set({ rules: [{ kind: 'cutConnection' }] });
  const refused = await set(address);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  const project = await merchant.call('POST', '/api/v2/projects', { name: 'a', payoutAddress: address });
  expect(project.status).toBe(503);
  expect((await merchant.call('GET', PATH)).body).toEqual(before);
  t.chain.faults.clear();
  expect((await set(address)).status).toBe(200);
});
