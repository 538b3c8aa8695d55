import { expect, test } from 'vitest';
import { intentInvariants } from '../src/intents/invariants.ts';
import { settlementInvariants } from '../src/payments/transfers/invariants.ts';
import { checkInvariants } from '../src/platform/db/invariant.ts';
import { testChain } from './support/chain.ts';
import { hostileRound, lyingNode } from './support/hostile-rpc.ts';
import { type LyingNode, startLyingNode } from './support/lying-node.ts';

const FIRST = Number(process.env.HOSTILE_SEED ?? 1);
const COUNT = Number(process.env.HOSTILE_SEEDS ?? (process.env.HOSTILE_SEED ? 1 : 20));
const PER_TEST = 25;
const starts = Array.from({ length: Math.ceil(COUNT / PER_TEST) }, (_, i) => FIRST + i * PER_TEST);

/** `HOSTILE_SEEDS=1000 npx vitest run test/hostile-rpc.test.ts` runs more; HOSTILE_SEED=n replays one. */
test.each(starts)(
  'a node that errs, lags, lies by omission or falls silent: nothing missed, doubled, expired or failed, from seed %i',
  async (start) => {
    const t = await testChain();
    for (let seed = start; seed < Math.min(start + PER_TEST, FIRST + COUNT); seed++) {
      expect(await hostileRound(t, seed)).toEqual({ seed, missed: [], doubled: [], wronged: [] });
    }
    const results = await checkInvariants(t.service.db, [...intentInvariants, ...settlementInvariants]);
    expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
  },
);

test.each(starts.flatMap((start) => [2, 3].map((count) => [count, start] as const)))(
  'a liar among %i nodes: nothing credited that was not paid, nothing missed once it is honest again, from seed %i',
  async (count, start) => {
    const nodes: LyingNode[] = [];
    const t = await testChain({}, async (rpcUrl) => {
      for (let i = 0; i < count; i++) nodes.push(await startLyingNode(rpcUrl));
      return nodes.map(({ url }) => url);
    });
    for (let seed = start; seed < Math.min(start + PER_TEST, FIRST + COUNT); seed++) {
      const report = await hostileRound(t, seed, lyingNode(t, nodes));
      expect(report).toEqual({ seed, missed: [], doubled: [], wronged: [] });
    }
    const results = await checkInvariants(t.service.db, [...intentInvariants, ...settlementInvariants]);
    expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
  },
);
