import { expect, test } from 'vitest';
import { checkInvariants } from '../src/db/invariant.ts';
import { intentInvariants } from '../src/intents/invariants.ts';
import { settlementInvariants } from '../src/settlement/invariants.ts';
import { testChain } from './support/chain.ts';
import { hostileRound } from './support/hostile-rpc.ts';

const FIRST = Number(process.env.HOSTILE_SEED ?? 1);
const COUNT = Number(process.env.HOSTILE_SEEDS ?? (process.env.HOSTILE_SEED ? 1 : 50));
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
