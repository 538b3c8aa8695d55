import { seededRandom } from '@florin/sandbox-chain';
import { createSolanaRpc } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import type { Wallet } from '../support/wallet.ts';
import {
  bodyOf,
  JSON_ONLY,
  programWallet,
  sendOnce,
  sendPayment,
  signOffer,
  withSlots,
} from './x402-client.ts';

/**
 * Clients that lose replies, send again, sign again and race themselves, on a chain that forgets: each by its seed.
 * FLORIN_SEEDS asks for more of them, FLORIN_FIRST_SEED for others; a failure names its seed and its steps.
 */
const SEEDS = Number(process.env.FLORIN_SEEDS ?? 30);
const FIRST = Number(process.env.FLORIN_FIRST_SEED ?? 1);
const PRICE = 250_0000n;

let t: TestChain;
let url: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' });
  const terms = { billingMode: 'one_time', unitAmountCents: 250 };
  const setUp = { projectId: project.id, productName: 'Report', ...terms };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
  t.chain.advanceSlots(40);
});

interface Buyer {
  wallet: Wallet;
  paymentId: string;
  random: () => number;
  steps: string[];
  headers: Record<string, string>;
}

type Step = (buyer: Buyer) => Promise<unknown>;

/** Faults on the way: none of them may make the buyer pay twice. */
const STEPS: Record<string, Step> = {
  'the reply is lost': async ({ headers }) => {
    const lost = new AbortController();
    const sent = fetch(url, { headers: { ...headers, ...JSON_ONLY.headers }, signal: lost.signal });
    await t.service.db.query('select 1');
    lost.abort();
    await sent.catch(() => undefined);
    t.chain.advanceSlots(3);
  },
  'sent again': (buyer) => sendPayment(t, url, buyer.headers),
  'signed again for a new offer': async (buyer) => {
    buyer.headers = (await signOffer(t, buyer.wallet, url, buyer.paymentId)).headers;
  },
  'a race': ({ headers, random }) => {
    const racers = Array.from({ length: 2 + Math.floor(random() * 19) }, () => sendOnce(url, headers));
    return withSlots(t, Promise.all(racers));
  },
  'a race of two signatures': async (buyer) => {
    const other = await signOffer(t, buyer.wallet, url, buyer.paymentId);
    const racers = [buyer.headers, other.headers].map((headers) => sendOnce(url, headers));
    await withSlots(t, Promise.all(racers));
  },
  'the blockhash grows old': async () => t.chain.advanceSlots(200),
  'the chain forgets': async ({ random }) => void t.chain.rollBack(1 + Math.floor(random() * 4)),
  'the worker follows': () => t.follow(),
  'the watcher looks': () => t.look(),
};

async function balanceOf({ usdcAccount }: Wallet): Promise<bigint> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const { value } = await rpc.getTokenAccountBalance(usdcAccount, { commitment: 'processed' }).send();
  return BigInt(value.amount);
}

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)]!;

async function buy(seed: number): Promise<{ steps: string[]; spent: bigint; isPaid: boolean }> {
  const random = seededRandom(seed, 402);
  const funds = 10n * PRICE;
  const wallet = await programWallet(t, funds);
  // Final, so that the chain forgets payments alone.
  t.chain.advanceSlots(40);
  const paymentId = `buyer_${seed}_0123456789abcdef`;
  const { headers } = await signOffer(t, wallet, url, paymentId);
  const buyer: Buyer = { wallet, paymentId, random, steps: [], headers };
  const count = 2 + Math.floor(random() * 5);
  for (let i = 0; i < count; i++) {
    const name = pick(Object.keys(STEPS), random);
    buyer.steps.push(name);
    await STEPS[name]!(buyer);
  }
  const isPaid = await insist(buyer);
  await t.finalize();
  await t.follow();
  return { steps: buyer.steps, spent: funds - (await balanceOf(wallet)), isPaid };
}

let offsetMs = 0;

function passMinutes(minutes: number): void {
  offsetMs += minutes * 60_000;
  t.service.clock.setOffsetMs(offsetMs);
}

/** A client that does what the answers say: waits on 503, signs the new offer on 402, until it has its receipt. */
async function insist(buyer: Buyer): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    const response = await sendPayment(t, url, buyer.headers);
    if (response.status === 200) return (await bodyOf(response)).status === 'paid';
    if (response.status === 402)
      buyer.headers = (await signOffer(t, buyer.wallet, url, buyer.paymentId)).headers;
    // Time passes for what is under way: it lands, or it lapses.
    passMinutes(2);
    t.chain.advanceSlots(40);
    await t.follow();
  }
  return false;
}

test(`${SEEDS} clients with faults by seed: each is charged once and has one order and one invoice`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const { steps, spent, isPaid } = await buy(seed);
    expect({ seed, steps, isPaid, spent }).toEqual({ seed, steps, isPaid: true, spent: PRICE });
  }
  // Every transaction is looked at again, to its end.
  passMinutes(1);
  await t.follow();
  const [row] = await t.service.db.query<Record<string, bigint>>(
    `select (select count(*) from payment_intents where status = 'succeeded') as paid,
            (select count(*) from invoices where status = 'paid') as invoices,
            (select count(*) from checkout_sessions where status = 'complete') as orders,
            (select count(*) from sponsored_transactions where state = 'landed' and not has_failed) as transfers`,
  );
  const all = BigInt(SEEDS);
  expect(row).toEqual({ paid: all, invoices: all, orders: all, transfers: all });
  await expectSoundBooks(t);
}, 7_200_000);
