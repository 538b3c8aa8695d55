import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { createRpc } from '../src/chain/solana/rpc.ts';
import { text } from '../src/chain/solana/shapes.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { createPayer } from './payer.ts';
import { type Round, spreadOf } from './rounds.ts';
import { openWatchedShop, type WatchedShop } from './watched-shop.ts';
import { withWorkshop } from './workshop.ts';

const TOTAL = 10_000;
const IN_ONE = 10;
const SLOT_MS = 100;
const AT_ONCE = 16;
const LOOK_MS = 50;
const LIFE_SECONDS = { from: 7_200, to: 7_200 };
/** A node without a limit of its own: what is measured is the service. */
const CALLS_PER_SECOND = '2000';

/**
 * Refunds per second, from the first that is prepared to the last that is proven: prepared in tens, signed, sent, found
 * under their references and booked. Against the payments that they refund, from the first that is sent to the last that
 * is settled, on the same chain just before. 10,000 in all.
 */
export function refundsSent({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const chain = await shop.startYardstick('chain.ts', { name: 'chain', env: { SLOT_MS: String(SLOT_MS) } });
    const env = {
      SOLANA_MAX_CALLS_PER_SECOND: CALLS_PER_SECOND,
      RATE_LIMIT_KEY_PER_SECOND: '100000',
      RATE_LIMIT_KEY_BURST: '100000',
    };
    const watched = await openWatchedShop(shop, {
      data,
      name: 'shop',
      merchants: 1,
      chain,
      env,
      profileFolder,
    });
    const customer = await createPayer(chain.url);
    const wallet = await openWallet(chain.url);
    // Recipients that already hold USDC: ten refunds that each open an account do not fit into a transaction.
    const { address } = await openWallet(chain.url);
    const each = Math.ceil(TOTAL / rounds / IN_ONE) * IN_ONE;
    const measured: Round[] = [];
    for (let i = 1; i <= rounds; i++) {
      const intents = await watched.open(each, LIFE_SECONDS);
      const payments = await perSecond(each, async () => {
        await inParallel(intents, (intent) => customer(intent));
        await all(watched, `payment_intents`, i * each);
      });
      const ids = await inParallel(intents, (intent) => createRefund(watched, intent.id, address));
      const batches = Array.from({ length: each / IN_ONE }, (_, n) =>
        ids.slice(n * IN_ONE, (n + 1) * IN_ONE),
      );
      const refunds = await perSecond(each, async () => {
        await inParallel(batches, (batch) => send(watched, wallet, batch));
        await all(watched, 'refunds', i * each);
      });
      measured.push({ ours: refunds, yardstick: payments, ratio: refunds / payments });
      say(`round ${i} of ${rounds}: ${refunds.toFixed(0)} refunds/s, ${payments.toFixed(0)} payments/s`);
    }
    const spread = spreadOf(measured);
    const extra = { refunds: rounds * each, rpcCalls: await watched.rpcCalls() };
    return { ratio: spread.median, spread, unit: 'refunds/s', rounds: measured, extra };
  });
}

/** A wallet of the merchant's with more money than a bench can send back. */
async function openWallet(rpcUrl: string): Promise<KeyPairSigner> {
  const rpc = createRpc({ urls: [rpcUrl], maxPerSecond: 100_000 });
  const wallet = await generateKeyPairSigner();
  for (const method of ['requestAirdrop', 'sandbox_mintTo'])
    await rpc.ask(method, [wallet.address, 10n ** 15n], (value) => text(value, 'signature'));
  return wallet;
}

async function call(shop: WatchedShop, path: string, body: object) {
  const { key } = shop.merchants[0]!;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${shop.service.url}/api/v2/refunds${path}`, request);
  if (!response.ok) throw new Error(`${path} failed: ${await response.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: a bench reaches into answers freely.
  return (await response.json()) as any;
}

async function createRefund(shop: WatchedShop, paymentIntentId: string, address: string): Promise<string> {
  return (await call(shop, '', { paymentIntentId, reason: 'other', address })).id;
}

async function send(shop: WatchedShop, wallet: KeyPairSigner, ids: string[]): Promise<void> {
  const prepared = await call(shop, '/prepare', { ids, payer: wallet.address });
  const decoded = getTransactionDecoder().decode(Buffer.from(prepared.transaction, 'base64'));
  const transaction = getBase64EncodedWireTransaction(await signTransaction([wallet.keyPair], decoded));
  await call(shop, '/send', { transaction });
}

async function all(shop: WatchedShop, table: string, count: number): Promise<void> {
  const query = `select count(*)::int as done from ${table} where status = 'succeeded'`;
  while ((await shop.onlooker.query(query)).rows[0].done < count) await sleep(LOOK_MS);
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (count * 1000) / (performance.now() - startedMs);
}

/** Works on a limited number of items at a time, in their order. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
