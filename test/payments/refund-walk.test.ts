import { beforeAll, expect, test } from 'vitest';
import { newPlan, newProject, newTopUp } from '../support/billing.ts';
import { testChain } from '../support/chain.ts';
import { expectBooksAgree } from '../support/journal.ts';
import { dueWorkStep } from '../support/refund-races.ts';
import { takeStep } from '../support/refund-steps.ts';
import { type Ground, RefundWalk } from '../support/refund-walk.ts';
import { checkEffects, checkWalk, installInvariants } from '../support/refund-walk-checks.ts';
import { createMint, createWallet } from '../support/wallet.ts';

/**
 * Payments, refunds, claims, sends and roll-backs in any order and at once, on the real chain: after every step the service says what
 * a small model of the rules says, every invariant holds, and what reached the customers is what the books say.
 * FLORIN_SEEDS asks for more walks, FLORIN_FIRST_SEED for others, FLORIN_STEPS for longer ones; a failure names its seed and its steps.
 */
const SEEDS = Number(process.env.FLORIN_SEEDS ?? 30);
const FIRST = Number(process.env.FLORIN_FIRST_SEED ?? 1);
const STEPS = Number(process.env.FLORIN_STEPS ?? 14);

let ground: Ground;

beforeAll(async () => {
  const t = await testChain({}, undefined, 60_000);
  const { rpcUrl } = t.chain;
  const treasury = await createWallet(t.chain, { usdcBaseUnits: 10n ** 15n });
  await t.chain.mintTo(t.merchant.address, 10n ** 15n);
  const fakeMint = await createMint(rpcUrl, treasury.signer, 10n ** 15n);
  const projectId = (await newProject(t.shop)).id;
  const topUpId = (await newTopUp(t.shop, projectId, { unitAmountCents: 90, creditAmount: 1000 })).id;
  const planId = (await newPlan(t.shop, projectId, { unitAmountCents: 120 })).id;
  await t.finalize();
  await installInvariants(t.service.db);
  ground = { t, treasury, projectId, topUpId, planId, fakeMint };
});

test(`${SEEDS} walks of ${STEPS} steps`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const walk = new RefundWalk(ground, seed);
    await walk.begin();
    try {
      for (let n = 0; n < STEPS; n++) {
        await takeStep(walk, `${seed}`);
        await checkWalk(walk);
      }
      await dueWorkStep(walk);
      await checkWalk(walk);
      await checkEffects(walk);
      await walk.end();
    } catch (error) {
      throw new Error(`seed ${seed}, after:\n${walk.steps.join('\n')}\n${(error as Error).message}`, {
        cause: error,
      });
    }
    // The plans of the invariants were made for empty tables.
    if (seed % 8 === 0) await ground.t.service.db.query('analyze');
    // The next walk is not to look at this one's refunds again and again.
    await ground.t.service.db.query('update refunds set check_at = null');
  }
  expect(ground.t.log.filter((line) => line.includes('failed'))).toEqual([]);
  await expectBooksAgree(ground.t.service.db, ground.t.shop);
}, 3_600_000);
