import { seededRandom } from '@florin/sandbox-chain';
import { createSolanaRpc } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import { accept, type ClientOptions, challengeOf, credentialFor, present, withSlots } from './mpp-client.ts';

/**
 * Clients of MPP that lose replies, send again, sign the same offer again and race themselves, on a chain that forgets:
 * each by its seed. FLORIN_SEEDS asks for more of them, FLORIN_FIRST_SEED for others.
 */
const SEEDS = Number(process.env.FLORIN_SEEDS ?? 20);
const FIRST = Number(process.env.FLORIN_FIRST_SEED ?? 1);
const PRICE = 2_500_000n;

let t: TestChain;
let url: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 3_000 });
  await t.chain.mintTo(t.merchant.address, 1n);
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' });
  const terms = { billingMode: 'one_time', unitAmountCents: 250 };
  const setUp = { projectId: project.id, productName: 'Report', ...terms };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
  t.chain.advanceSlots(40);
});

interface Way {
  query: string;
  lamports: { lamports?: bigint };
  options: ClientOptions;
}

const WAYS: Record<string, Way> = {
  'our fee': { query: '', lamports: { lamports: 0n }, options: {} },
  'their fee': { query: '?fees=payer', lamports: {}, options: {} },
  pushed: { query: '?fees=payer', lamports: {}, options: { broadcast: true } },
};

interface Buyer {
  wallet: Wallet;
  way: Way;
  random: () => number;
  authorization: string;
}

/** Faults on the way: none of them may make the buyer pay twice. */
const STEPS: Record<string, (buyer: Buyer) => Promise<unknown>> = {
  'the reply is lost': async ({ authorization }) => {
    const lost = new AbortController();
    const sent = fetch(url, { headers: { authorization }, signal: lost.signal });
    await t.service.db.query('select 1');
    lost.abort();
    await sent.catch(() => undefined);
    t.chain.advanceSlots(3);
  },
  'sent again': ({ authorization }) => present(t, url, authorization),
  'a race': ({ authorization, random }) =>
    withSlots(
      t,
      Promise.all(
        Array.from({ length: 2 + Math.floor(random() * 9) }, () =>
          fetch(url, { headers: { authorization } }),
        ),
      ),
    ),
  'the worker follows': () => t.follow(),
  'the watcher looks': () => t.look(),
};

/** A client that has sent its transaction has no second one for the same offer, and cannot send it again. */
const STEPS_OF_PULLED: typeof STEPS = {
  ...STEPS,
  'a race of two signatures': async ({ wallet, authorization, random }) => {
    const computeUnitLimit = 150_000 + Math.floor(random() * 50_000);
    const other = await accept(t, wallet, challengeOf(authorization), { computeUnitLimit });
    const racers = [authorization, other].map((each) => fetch(url, { headers: { authorization: each } }));
    await withSlots(t, Promise.all(racers));
  },
  'the blockhash grows old': async () => t.chain.advanceSlots(200),
  'the chain forgets': async ({ random }) => void t.chain.rollBack(1 + Math.floor(random() * 4)),
};

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)]!;

async function balanceOf({ usdcAccount }: Wallet): Promise<bigint> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const { value } = await rpc.getTokenAccountBalance(usdcAccount, { commitment: 'processed' }).send();
  return BigInt(value.amount);
}

const sign = ({ wallet, way }: Pick<Buyer, 'wallet' | 'way'>) =>
  credentialFor(t, wallet, `${url}${way.query}`, way.options);

async function buy(seed: number): Promise<{ name: string; steps: string[]; spent: bigint; isPaid: boolean }> {
  const random = seededRandom(seed, 403);
  const name = pick(Object.keys(WAYS), random);
  const way = WAYS[name]!;
  const funds = 10n * PRICE;
  const wallet = await createWallet(t.chain, { ...way.lamports, usdcBaseUnits: funds });
  // Final, so that the chain forgets payments alone.
  t.chain.advanceSlots(40);
  const buyer: Buyer = { wallet, way, random, authorization: await sign({ wallet, way }) };
  const all = name === 'pushed' ? STEPS : STEPS_OF_PULLED;
  const steps: string[] = [];
  for (let count = 2 + Math.floor(random() * 4); count > 0; count--) {
    const step = pick(Object.keys(all), random);
    steps.push(step);
    await all[step]!(buyer);
  }
  const isPaid = await insist(buyer);
  await t.finalize();
  await t.follow();
  return { name, steps, spent: funds - (await balanceOf(wallet)), isPaid };
}

let offsetMs = 0;

function passMinutes(minutes: number): void {
  offsetMs += minutes * 60_000;
  t.service.clock.setOffsetMs(offsetMs);
}

/** A client that does what the answers say: waits on 503, signs a new offer on 402, until it has its receipt. */
async function insist(buyer: Buyer): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    const response = await present(t, url, buyer.authorization);
    if (response.status === 200) return ((await response.json()) as { status: string }).status === 'paid';
    if (response.status === 402) {
      buyer.authorization = await sign(buyer);
      // The service remembers a blockhash for less than half a second, in which this chain has come far.
      if ((await response.text()).includes('has lapsed')) tries--;
      continue;
    }
    // Time passes for what is under way: it lands, or it lapses.
    passMinutes(2);
    t.chain.advanceSlots(40);
    await t.follow();
  }
  return false;
}

test(`${SEEDS} clients with faults by seed: each is charged once and has one order and one invoice`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const { name, steps, spent, isPaid } = await buy(seed);
    const told = { seed, name, steps };
    expect({ ...told, isPaid, spent }).toEqual({ ...told, isPaid: true, spent: PRICE });
  }
  passMinutes(1);
  await t.follow();
  const [row] = await t.service.db.query<Record<string, bigint>>(
    `select (select count(*) from payment_intents where status = 'succeeded') as paid,
            (select count(*) from invoices where status = 'paid') as invoices,
            (select count(*) from checkout_sessions where status = 'complete') as orders`,
  );
  const all = BigInt(SEEDS);
  expect(row).toEqual({ paid: all, invoices: all, orders: all });
  await expectSoundBooks(t);
}, 3_600_000);
