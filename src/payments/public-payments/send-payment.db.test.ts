import { randomUUID } from 'node:crypto';
import { generateKeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import {
  type NewIntent,
  newIntent,
  readIntent,
  signed,
  signedPayment,
  UNITS,
  withReference,
} from '../../../test/support/payments.ts';
import { call } from '../../../test/support/service.ts';
import { createNonce } from '../../../test/support/tokens.ts';
import {
  createWallet,
  memoInstruction,
  paymentInstructions,
  sign as signTransaction,
  type Payment as WalletPayment,
} from '../../../test/support/wallet.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { buildPayment, type Payment } from '../../chain/solana/build-payment.ts';
import { latestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import { USDC_MINTS } from '../../chain/solana/network.ts';
import { createRpc } from '../../chain/solana/rpc.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

const send = (id: string, transaction: unknown) =>
  call(`${t.service.url}/api/public/intents/${id}/send`, 'POST', { transaction });

const sign = async (payment: Payment) => signed(await buildPayment(payment), t.customer.signer);

const refusal = ({ status, body }: { status: number; body: { error: { message: string } } }) => [
  status,
  body.error.message,
];

async function twoPayments(intent: NewIntent, signer = t.customer.signer): Promise<[string, string]> {
  const one = await signedPayment(t, intent.id, signer);
  t.chain.advanceSlots(1);
  const two = await signedPayment(t, intent.id, signer);
  expect(one).not.toBe(two);
  return [one, two];
}

const expectToWait = (answer: Awaited<ReturnType<typeof send>>) =>
  expect([...refusal(answer), Number(answer.headers.get('retry-after')) > 0]).toEqual([
    409,
    'Another payment for this is on its way. If it does not arrive within two minutes, try again.',
    true,
  ]);

const NO_PAYMENT = 'transaction must pay exactly the amount due in USDC and include the reference';
const NAMES_ANOTHER = 'transaction names another order, too: pay each with a transaction of its own';
const NEVER_LAPSES =
  'transaction must be signed with a recent blockhash: one with a durable nonce never lapses';
const NOT_SIGNED = 'transaction must be a signed Solana transaction in base64';

test('202: it lands and pays; sent again it is the same payment; 409 once nothing is due', async () => {
  const intent = await newIntent(t.shop);
  const transaction = await signedPayment(t, intent.id);
  const first = await send(intent.id, transaction);
  expect([first.status, (await send(intent.id, transaction)).text]).toEqual([202, first.text]);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  const [row] = await t.service.db.query('select tx_signature from payment_intents where id = $1', [
    intent.id,
  ]);
  expect(row).toEqual({ txSignature: first.body.signature });
  expect(refusal(await send(intent.id, transaction))).toEqual([409, 'This payment has succeeded.']);
});

test('sent again when the wallet has nothing left, because it has just paid: the same payment', async () => {
  const intent = await newIntent(t.shop);
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 1_000_000n });
  const transaction = await signedPayment(t, intent.id, wallet.signer);
  const first = await send(intent.id, transaction);
  t.chain.advanceSlots(1);
  expect([first.status, (await send(intent.id, transaction)).text]).toEqual([202, first.text]);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});

describe('400 for what is no payment of this intent, and nothing reaches the chain', () => {
  async function expectRefused(id: string, transaction: string, message: string) {
    expect(refusal(await send(id, transaction))).toEqual([400, message]);
  }

  async function expectUnpaid(intent: NewIntent) {
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  }

  test('not signed, changed after signing, with something behind it, no transaction', async () => {
    const intent = await newIntent(t.shop);
    const { id } = intent;
    const right = Buffer.from(await signedPayment(t, id), 'base64');
    const unsigned = Buffer.from(right).fill(0, 1, 65);
    const changed = Buffer.from(right);
    changed[changed.length - 20]! ^= 1;
    const longer = Buffer.concat([right, Buffer.from([0])]);
    for (const bytes of [unsigned, changed, longer, Buffer.from('AAAA', 'base64')])
      await expectRefused(id, bytes.toString('base64'), NOT_SIGNED);
    await expectRefused(id, 'not base64!', NOT_SIGNED);
    await expectUnpaid(intent);
  });

  test('for another intent, of another amount, without the reference, to somebody else, of another token', async () => {
    const intent = await newIntent(t.shop);
    const other = await newIntent(t.shop);
    await expectRefused(intent.id, await signedPayment(t, other.id), NO_PAYMENT);
    const rpc = createRpc({ urls: [t.chain.rpcUrl] });
    const right = {
      payer: t.customer.address as string,
      destination: t.merchant.address as string,
      amountBaseUnits: 1_000_000n,
      mint: USDC_MINTS.sandbox,
      reference: intent.reference as string | null,
      memo: intent.id,
      ...(await latestBlockhash(rpc)),
    };
    const wrong = [
      { amountBaseUnits: 999_999n },
      { amountBaseUnits: 1_000_001n },
      { reference: null },
      { reference: other.reference },
      { destination: t.customer.address },
      { mint: await associatedAccount(t.customer.address, USDC_MINTS.sandbox) },
    ];
    for (const part of wrong) await expectRefused(intent.id, await sign({ ...right, ...part }), NO_PAYMENT);
    await expectUnpaid(intent);
    expect((await send(intent.id, await sign(right))).status).toBe(202);
  });

  const byWallet = async ({ reference }: NewIntent, more: Partial<WalletPayment> = {}) => {
    const { rpcUrl } = t.chain;
    const payment = { rpcUrl, from: t.customer.signer, destinationOwner: t.merchant.address, ...more };
    const paid = { ...payment, amountBaseUnits: UNITS, references: more.references ?? [reference] };
    const instructions = [...(await paymentInstructions(paid)), ...(more.after ?? [])];
    return signTransaction({ ...paid, payer: t.customer.signer, instructions });
  };

  test('one that names another order, too: by a reference in the transfer or beside it, or by a memo', async () => {
    const [intent, other] = [await newIntent(t.shop), await newIntent(t.shop)];
    const beside = withReference(memoInstruction('two at once'), other.reference);
    const wrong: Partial<WalletPayment>[] = [
      { references: [intent.reference, other.reference] },
      { after: [{ ...beside, accounts: beside.accounts!.slice(-1) }] },
      { memo: `florin:${other.reference}` },
      { memo: `florin:${other.reference}/mpp` },
    ];
    for (const more of wrong) await expectRefused(intent.id, await byWallet(intent, more), NAMES_ANOTHER);
    await expectUnpaid(intent);
    await expectUnpaid(other);
    // A second reference that is no order's is the payer's own business, and so is naming this one twice.
    const stranger = (await generateKeyPairSigner()).address;
    const right = { references: [intent.reference, stranger], memo: `florin:${intent.reference}` };
    expect((await send(intent.id, await byWallet(intent, right))).status).toBe(202);
  });

  test('one with a durable nonce, which never lapses: it could still be sent after another has paid', async () => {
    const intent = await newIntent(t.shop);
    const { rpcUrl } = t.chain;
    const nonce = await createNonce(rpcUrl, t.customer.signer, () => t.chain.advanceSlots(1));
    await expectRefused(intent.id, await byWallet(intent, { nonce }), NEVER_LAPSES);
    const version = 'legacy';
    await expectRefused(intent.id, await byWallet(intent, { nonce, version }), NEVER_LAPSES);
    await expectUnpaid(intent);
    expect((await send(intent.id, await byWallet(intent))).status).toBe(202);
  });
});

test('404 for an intent that never was, 409 for a canceled one', async () => {
  const { id } = await newIntent(t.shop);
  const transaction = await signedPayment(t, id);
  expect((await send(randomUUID(), transaction)).status).toBe(404);
  await t.shop.call('POST', `/api/merchants/intents/${id}/cancel`);
  expect(refusal(await send(id, transaction))).toEqual([409, 'This payment is canceled.']);
});

test('409 with what may be missing when the network does not take it; 429 after a few', async () => {
  const { id } = await newIntent(t.shop);
  const poor = await generateKeyPairSigner();
  const transaction = await signedPayment(t, id, poor);
  let answer = await send(id, transaction);
  expect(refusal(answer)).toEqual([
    409,
    'The network did not take this payment: is there enough USDC, and a little SOL for the fee?',
  ]);
  while (answer.status === 409) answer = await send(id, transaction);
  expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const other = await newIntent(t.shop);
  expect((await send(other.id, await signedPayment(t, other.id))).status).toBe(202);
});

test('409 that says so when it was signed too long ago', async () => {
  const intent = await newIntent(t.shop);
  const transaction = await signedPayment(t, intent.id);
  t.chain.advanceSlots(400);
  expect(refusal(await send(intent.id, transaction))).toEqual([409, expect.stringContaining('has lapsed')]);
});

test('503 when a node broke off; until it is known what it did, the same transaction is taken and another is not', async () => {
  const intent = await newIntent(t.shop);
  const [transaction, another] = await twoPayments(intent);
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 502, methods: ['sendTransaction'] }] });
  expect((await send(intent.id, transaction)).status).toBe(503);
  t.chain.faults.clear();
  expectToWait(await send(intent.id, another));
  expect((await send(intent.id, transaction)).status).toBe(202);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});

test('of two payments that come at the same moment, one is sent and the other has to wait', async () => {
  const intent = await newIntent(t.shop);
  const both = await twoPayments(intent);
  t.chain.faults.set({ rules: [{ kind: 'latency', ms: 300, methods: ['sendTransaction'] }] });
  const answers = await Promise.all(both.map((transaction) => send(intent.id, transaction)));
  t.chain.faults.clear();
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  expectToWait(answers.find(({ status }) => status === 409)!);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});

test('a payment that every node refused makes room for another, unless it was sent another time too', async () => {
  const intent = await newIntent(t.shop);
  const [one, two] = await twoPayments(intent);
  const fail = async (kind: 'httpError' | 'rpcError', transaction: string) => {
    const rule = { kind, methods: ['sendTransaction'], ...(kind === 'rpcError' && { code: -32002 }) };
    t.chain.faults.set({ rules: [rule] });
    const answer = await send(intent.id, transaction);
    t.chain.faults.clear();
    return answer;
  };
  const refused = await fail('rpcError', one);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, null]);
  expect((await fail('httpError', two)).status).toBe(503);
  expectToWait(await fail('rpcError', two));
  expectToWait(await send(intent.id, one));
  expect((await send(intent.id, two)).status).toBe(202);
});

test('while a payment may land, no other is prepared, for any wallet; one that was not sent is prepared again', async () => {
  const intent = await newIntent(t.shop);
  const ask = (path: string, account: string = t.customer.address) =>
    call(`${t.service.url}/api/public/intents/${intent.id}/${path}`, 'POST', { account });
  const [transaction] = await twoPayments(intent);
  expect((await send(intent.id, transaction)).status).toBe(202);
  const other = (await generateKeyPairSigner()).address;
  for (const account of [t.customer.address, other]) {
    expectToWait(await ask('transaction', account));
    const { status, headers, body } = await ask('pay', account);
    expect([status, body.message, headers.get('retry-after')]).toEqual([
      409,
      expect.stringContaining('on its way'),
      '5',
    ]);
  }
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});
