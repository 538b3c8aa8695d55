import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { USDC_MINTS } from '../src/chain/solana/network.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { watchFinality } from './finality.ts';
import { createPayer } from './payer.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { sendSpam } from './spam.ts';
import { watchStatus } from './watch-status.ts';
import { openWatchedShop } from './watched-shop.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const MERCHANTS = 10;
const SPAM = 3_000;
/** Default limit of a process's calls to a node, outside of the sandbox. */
const CALLS_PER_SECOND = 25;
const SLOT_MS = 100;
const PAYMENTS = 20;
const PAY_EVERY_MS = 250;
const LIFE_SECONDS = 1_800;

/**
 * Measures a flood's effect on the neighbours: 3,000 transactions name one merchant's account while customers pay
 * nine others, at 25 calls a second. The same payments are made in the same seconds at a shop that nobody floods; the
 * 95th percentiles from a payment's finality to `succeeded` are compared.
 */
export function neighbour({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const quiet = await openSide(shop, data, 'quiet', profileFolder);
    const flooded = await openSide(shop, data, 'flooded', profileFolder);
    const sides = [quiet, flooded];
    shop.onClose(async () => Promise.all(sides.map((side) => side.stop())));
    await Promise.all(sides.map((side) => side.payOthers()));
    say(`${SPAM} transactions are on their way`);
    const spamming = flooded.flood();
    const measured: Round[] = [];
    const unread: number[] = [];
    for (let i = 0; i < rounds; i++) {
      const [without, withFlood] = await Promise.all(sides.map((side) => side.payOthers()));
      const [yardstick, ours] = [percentile(without!, 95), percentile(withFlood!, 95)];
      measured.push({ ours, yardstick, ratio: yardstick / ours });
      unread.push(SPAM - (await flooded.countFirst()));
      say(`round ${i + 1} of ${rounds}: ${ours.toFixed(0)} ms, without the flood ${yardstick.toFixed(0)} ms`);
    }
    await spamming;
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'ms, p95',
      rounds: measured,
      extra: { spam: SPAM, callsPerSecond: CALLS_PER_SECOND, notYetReadAfterEachRound: unread },
    };
  });
}

interface Side {
  /** Pays intents of every merchant but the first; answers how long each took from finality, in ms. */
  payOthers(): Promise<number[]>;
  flood(): Promise<void>;
  /** Counts the transactions of the first merchant that are in the books. */
  countFirst(): Promise<number>;
  stop(): Promise<void>;
}

async function openSide(
  shop: Workshop,
  data: string,
  name: string,
  profileFolder: string | undefined,
): Promise<Side> {
  const chain = await shop.startYardstick('chain.ts', {
    name: `${name}-chain`,
    env: { SLOT_MS: String(SLOT_MS) },
  });
  const env = { SOLANA_MAX_CALLS_PER_SECOND: String(CALLS_PER_SECOND) };
  const watched = await openWatchedShop(shop, {
    data,
    name,
    merchants: MERCHANTS,
    chain,
    env,
    profileFolder,
  });
  const pay = await createPayer(chain.url);
  const finality = await watchFinality(chain.url);
  const success = watchStatus(watched, `status = 'succeeded'`);
  const first = watched.merchants[0]!.payoutAddress;
  return {
    async payOthers() {
      const life = { from: LIFE_SECONDS - 1, to: LIFE_SECONDS };
      const opened = await watched.open(PAYMENTS * 2, life);
      const others = opened.filter(({ destination }) => destination !== first).slice(0, PAYMENTS);
      const delays: Promise<number>[] = [];
      for (const intent of others) {
        const succeeded = success.seenAt(intent.id);
        const paid = pay(intent).then((signature) => finality.finalAt(signature));
        delays.push(Promise.all([succeeded, paid]).then(([seen, final]) => Math.max(0, seen - final)));
        await sleep(PAY_EVERY_MS);
      }
      return Promise.all(delays);
    },
    flood: async () => sendSpam(chain.url, await associatedAccount(first, USDC_MINTS.sandbox), SPAM),
    async countFirst() {
      const { rows } = await watched.db.query(
        'select count(*)::int as count from incoming_transfers where destination = $1',
        [first],
      );
      return rows[0].count;
    },
    async stop() {
      finality.close();
      await success.stop();
    },
  };
}
