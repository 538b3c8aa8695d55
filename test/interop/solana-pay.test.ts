import {
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  createTransfer,
  fetchTransaction,
  findReference,
  parseURL,
  type TransactionRequestURL,
  type TransferRequestURL,
  validateTransfer,
} from '@solana/pay';
import { beforeAll, expect, test } from 'vitest';
import { transactionRequestUrl } from '../../src/chain/solana/pay-url.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type NewIntent, newIntent, payIntent, readIntent, UNITS } from '../support/payments.ts';
import { call } from '../support/service.ts';

/** The Solana Pay library as wallets and shops run it, with a kit of its own, against us and the sandbox chain. */
let t: TestChain;
let rpc: ReturnType<typeof createSolanaRpc>;
let wallet: KeyPairSigner;

beforeAll(async () => {
  t = await testChain();
  rpc = createSolanaRpc(t.chain.rpcUrl);
  wallet = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
  await t.chain.fund(wallet.address, 10n ** 10n);
  await t.chain.mintTo(wallet.address, 10n ** 12n);
  // The library pays into an account that exists.
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
});

const view = async ({ id }: NewIntent) =>
  (await call(`${t.service.url}/api/public/intents/${id}`, 'GET')).body;
const send = (wire: Parameters<typeof rpc.sendTransaction>[0]) =>
  rpc.sendTransaction(wire, { encoding: 'base64' }).send();

async function sendSigned(instructions: Awaited<ReturnType<typeof createTransfer>>) {
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(wallet, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  const signed = await signTransactionMessageWithSigners(message);
  const signature = await send(getBase64EncodedWireTransaction(signed));
  expect(signature).toBe(getSignatureFromTransaction(signed));
  return signature;
}

async function parsed(intent: NewIntent) {
  const { recipient, amount, splToken, reference, memo } = parseURL(
    (await view(intent)).paymentUrl,
  ) as TransferRequestURL;
  return { recipient, amount: amount!, splToken: splToken!, reference: reference!, memo: memo! };
}

test('reads our payment URL as it is meant', async () => {
  const order = { amountCents: 123_456_789, orderId: 'Order 7 & more?' };
  const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', order);
  const { paymentUrl } = await view(intent);
  expect(parseURL(paymentUrl)).toEqual({
    recipient: t.merchant.address,
    amount: 1_234_567.89,
    splToken: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    reference: [intent.referenceAddress],
    label: 'Shop',
    message: 'Order 7 & more?',
    memo: intent.referenceAddress,
  });
});

test('its transfer is found and credited, and it finds and accepts the transfer itself', async () => {
  const intent = await newIntent(t.shop);
  const fields = await parsed(intent);
  const instructions = await createTransfer(rpc, wallet, fields);
  const signature = await sendSigned(instructions);
  t.chain.advanceSlots(3);
  await t.look();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'processing', cents: 0 });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });

  const found = await findReference(rpc, fields.reference[0]!, { commitment: 'finalized' });
  expect(found.signature).toBe(signature);
  const accepted = await validateTransfer(rpc, signature, fields, { commitment: 'finalized' });
  expect(accepted.meta!.err).toBeNull();
  const more = { ...fields, amount: fields.amount + 0.000001 };
  await expect(validateTransfer(rpc, signature, more)).rejects.toThrow('amount not transferred');
});

test('the transaction it fetches from our transaction request pays, and it accepts that too', async () => {
  const intent = await newIntent(t.shop, 250);
  const fields = await parsed(intent);
  const link = `${t.service.url}/api/public/intents/${intent.id}/pay`;
  const fetched = await fetchTransaction(rpc, wallet.address, link);
  const signed = await signTransaction([wallet.keyPair], fetched);
  const signature = await send(
    getBase64EncodedWireTransaction(signed as Parameters<typeof getBase64EncodedWireTransaction>[0]),
  );
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 250 });
  expect((await validateTransfer(rpc, signature, fields)).meta!.err).toBeNull();
});

test('pays a refund from its code, and the refund succeeds without any call to us', async () => {
  const intent = await newIntent(t.shop, 300);
  await payIntent(t, intent, { amountBaseUnits: 3n * UNITS });
  await t.finalize();
  const { body: refund } = await t.shop.call('POST', '/api/v2/refunds', {
    ...{ paymentIntentId: intent.id, amountCents: 125, reason: 'requested_by_customer' },
    address: t.customer.address,
  });
  const { recipient, amount, splToken, reference, memo, message } = parseURL(
    refund.paymentUrl,
  ) as TransferRequestURL;
  expect({ recipient, amount, reference, memo, message }).toEqual({
    recipient: t.customer.address,
    amount: 1.25,
    reference: [refund.referenceAddress],
    memo: 'RF-000001',
    message: 'Refund RF-000001',
  });
  const fields = { recipient, amount: amount!, splToken: splToken!, reference: reference!, memo: memo! };
  const signature = await sendSigned(await createTransfer(rpc, wallet, fields));
  t.chain.advanceSlots(3);
  await t.look();
  const read = async () => (await t.shop.call('GET', `/api/v2/refunds/${refund.id}`)).body;
  expect((await read()).status).toBe('processing');
  await t.finalize();
  expect(await read()).toMatchObject({
    ...{ status: 'succeeded', amountSentCents: 125, txSignature: signature, creditNoteNumber: 'CN-000001' },
  });
  expect((await validateTransfer(rpc, signature, fields, { commitment: 'finalized' })).meta!.err).toBeNull();
});

test('reads the link of our transaction requests', () => {
  const link = 'https://pay.example/api/public/terminals/019b76da-a800-7000-8000-000000000001/pay';
  const { link: read } = parseURL(transactionRequestUrl(link)) as TransactionRequestURL;
  expect(read.href).toBe(link);
});
