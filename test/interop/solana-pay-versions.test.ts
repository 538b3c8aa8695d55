import {
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import * as newest from '@solana/pay';
import { Connection, Keypair, type Transaction } from '@solana/web3.js';
import * as old from 'solana-pay-0.2';
import { beforeAll, describe, expect, test } from 'vitest';
import { associatedAccount } from '../../src/chain/solana/associated-account.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { newReferenceAddress } from '../../src/platform/lib/base58.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type NewIntent, newIntent, readIntent } from '../support/payments.ts';
import { call, type TestMerchant } from '../support/service.ts';

/** A version of the library, with what wallets do with it. */
interface Library {
  /** Sends what a transfer request asks for; answers the signature. */
  transfer(url: string): Promise<string>;
  /** Fetches what a transaction request offers, signs and sends it. */
  request(link: string): Promise<string>;
  /** The link of a transaction request. */
  linkOf(url: string): string;
  /** Judges a transaction as a shop does that waits for this transfer. */
  accept(signature: string, url: string): Promise<void>;
}

const ORIGIN = 'https://pay.example';
const seed = crypto.getRandomValues(new Uint8Array(32));

let t: TestChain;
const libraries: Record<string, () => Promise<Library>> = { '0.2.6': libraryBefore1, newest: newestLibrary };

beforeAll(async () => {
  t = await testChain({ PUBLIC_URL: ORIGIN });
  const wallet = await createKeyPairSignerFromPrivateKeyBytes(seed);
  await t.chain.fund(wallet.address, 10n ** 10n);
  await t.chain.mintTo(wallet.address, 10n ** 12n);
  t.chain.advanceSlots(40);
});

/** `@solana/web3.js` 1, which reads legacy messages alone. */
async function libraryBefore1(): Promise<Library> {
  const connection = new Connection(t.chain.rpcUrl, 'confirmed');
  const wallet = Keypair.fromSeed(seed);
  async function send(transaction: Transaction): Promise<string> {
    transaction.sign(wallet);
    return connection.sendRawTransaction(transaction.serialize());
  }
  const fieldsOf = (url: string) => {
    const { recipient, amount, splToken, reference, memo } = old.parseURL(url) as old.TransferRequestURL;
    return { recipient, amount: amount!, splToken: splToken!, reference: reference!, memo: memo! };
  };
  return {
    async transfer(url) {
      return send(await old.createTransfer(connection, wallet.publicKey, fieldsOf(url)));
    },
    async request(link) {
      return send(await old.fetchTransaction(connection, wallet.publicKey, link));
    },
    linkOf: (url) => (old.parseURL(url) as old.TransactionRequestURL).link.href,
    async accept(signature, url) {
      await old.validateTransfer(connection, signature, fieldsOf(url), { commitment: 'confirmed' });
      const [reference] = fieldsOf(url).reference;
      expect((await old.findReference(connection, reference!, { finality: 'confirmed' })).signature).toBe(
        signature,
      );
    },
  };
}

async function newestLibrary(): Promise<Library> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const wallet = await createKeyPairSignerFromPrivateKeyBytes(seed);
  type Wire = Parameters<typeof rpc.sendTransaction>[0];
  const send = (wire: string) => rpc.sendTransaction(wire as Wire, { encoding: 'base64' }).send();
  const fieldsOf = (url: string) => {
    const { recipient, amount, splToken, reference, memo } = newest.parseURL(
      url,
    ) as newest.TransferRequestURL;
    return { recipient, amount: amount!, splToken: splToken!, reference: reference!, memo: memo! };
  };
  return {
    async transfer(url) {
      const instructions = await newest.createTransfer(rpc, wallet, fieldsOf(url));
      const { value: latest } = await rpc.getLatestBlockhash().send();
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayerSigner(wallet, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
        (draft) => appendTransactionMessageInstructions(instructions, draft),
      );
      return send(getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message)));
    },
    async request(link) {
      const fetched = await newest.fetchTransaction(rpc, wallet.address, link);
      const signed = await signTransaction([wallet.keyPair], fetched);
      return send(
        getBase64EncodedWireTransaction(signed as Parameters<typeof getBase64EncodedWireTransaction>[0]),
      );
    },
    linkOf: (url) => (newest.parseURL(url) as newest.TransactionRequestURL).link.href,
    async accept(signature, url) {
      const fields = fieldsOf(url);
      await newest.validateTransfer(rpc, signature as Parameters<typeof newest.validateTransfer>[1], fields, {
        commitment: 'confirmed',
      });
      const found = await newest.findReference(rpc, fields.reference[0]!, { commitment: 'confirmed' });
      expect(found.signature).toBe(signature);
    },
  };
}

const urlOf = async (shop: TestMerchant, { id }: NewIntent): Promise<string> =>
  (await shop.call('GET', `/api/merchants/intents/${id}`)).body.paymentUrl;

const here = (link: string) => link.replace(ORIGIN, t.service.url);
const linkOf = ({ id }: NewIntent) => `${t.service.url}/api/public/intents/${id}/pay`;

async function expectPaid(shop: TestMerchant, intent: NewIntent) {
  await t.finalize();
  expect(await readIntent(shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
}

describe.each(Object.keys(libraries))('@solana/pay %s', (name) => {
  let library: Library;

  beforeAll(async () => {
    library = await libraries[name]!();
  });

  describe('pays a wallet that has SOL and USDC', () => {
    let shop: TestMerchant;

    beforeAll(async () => {
      const payee = Keypair.generate().publicKey.toBase58() as typeof t.merchant.address;
      await t.chain.fund(payee, 1_000_000n);
      await t.chain.mintTo(payee, 1n);
      t.chain.advanceSlots(40);
      shop = await t.service.createMerchant('Shop', payee);
    });

    test('by a transfer request, and accepts what it has sent', async () => {
      const intent = await newIntent(shop);
      const url = await urlOf(shop, intent);
      const signature = await library.transfer(url);
      t.chain.advanceSlots(3);
      await library.accept(signature, url);
      await expectPaid(shop, intent);
    });

    test('by a transaction request, and accepts that as the transfer that the code asks for', async () => {
      const intent = await newIntent(shop);
      const url = await urlOf(shop, intent);
      const signature = await library.request(linkOf(intent));
      t.chain.advanceSlots(3);
      await library.accept(signature, url);
      await expectPaid(shop, intent);
    });
  });

  describe('pays a vault', () => {
    let shop: TestMerchant;
    let vault: typeof t.merchant.address;

    beforeAll(async () => {
      vault = (await associatedAccount(newReferenceAddress(), USDC_MINTS.sandbox)) as typeof vault;
      await t.chain.mintTo(vault, 1n);
      t.chain.advanceSlots(40);
      shop = await t.service.createMerchant('Treasury', vault);
    });

    test('by its payment URL, which is a transaction request', async () => {
      const intent = await newIntent(shop);
      const url = await urlOf(shop, intent);
      expect(url).toBe(`solana:${encodeURIComponent(`${ORIGIN}/api/public/intents/${intent.id}/pay`)}`);
      const seen = await call(`${t.service.url}/api/public/intents/${intent.id}`, 'GET');
      expect(seen.body.paymentUrl).toBe(url);
      await library.request(here(library.linkOf(url)));
      await expectPaid(shop, intent);
    });

    test('on a page whose code is the same transaction request', async () => {
      const intent = await newIntent(shop);
      const page = await (await fetch(`${t.service.url}/intents/${intent.id}`)).text();
      expect(page).toContain(`href="${await urlOf(shop, intent)}"`);
    });

    test('by a transfer request, only since 1.0', async () => {
      const amount = 'amount=1&spl-token=4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
      const intent = await newIntent(shop);
      const url = `solana:${vault}?${amount}&reference=${intent.reference}&memo=${intent.reference}`;
      if (name === '0.2.6') {
        await t.chain.fund(vault, 1_000_000n);
        t.chain.advanceSlots(40);
        await expect(library.transfer(url)).rejects.toMatchObject({ name: 'TokenOwnerOffCurveError' });
        return;
      }
      await library.transfer(url);
      await expectPaid(shop, intent);
    });
  });

  describe('pays a wallet that has never had SOL', () => {
    let shop: TestMerchant;

    beforeAll(async () => {
      const payee = Keypair.generate().publicKey.toBase58() as typeof t.merchant.address;
      await t.chain.mintTo(payee, 1n);
      t.chain.advanceSlots(40);
      shop = await t.service.createMerchant('New shop', payee);
    });

    test('by a transaction request', async () => {
      const intent = await newIntent(shop);
      await library.request(linkOf(intent));
      await expectPaid(shop, intent);
    });

    test('by a transfer request, only since 1.0', async () => {
      const intent = await newIntent(shop);
      const paying = library.transfer(await urlOf(shop, intent));
      if (name === '0.2.6') return expect(paying).rejects.toThrow('recipient not found');
      await paying;
      return expectPaid(shop, intent);
    });
  });

  test('creates the token account of a wallet that has never had USDC, by a transaction request alone', async () => {
    const payee = Keypair.generate().publicKey.toBase58() as typeof t.merchant.address;
    await t.chain.fund(payee, 1_000_000n);
    t.chain.advanceSlots(40);
    const shop = await t.service.createMerchant('Newest shop', payee);
    const intent = await newIntent(shop);
    await expect(library.transfer(await urlOf(shop, intent))).rejects.toThrow();
    await library.request(linkOf(intent));
    await expectPaid(shop, intent);
  });
});

test('the icon and the label that wallets show are there, as a PNG for those that draw no other', async () => {
  const intent = await newIntent(t.shop);
  const { body } = await call(linkOf(intent), 'GET');
  expect(body).toEqual({ label: 'Shop', icon: `${ORIGIN}/icon.png` });
  const icon = await fetch(here(body.icon));
  expect(icon.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await icon.arrayBuffer());
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
});
