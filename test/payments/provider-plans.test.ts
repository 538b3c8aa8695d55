import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { sweepAccounts } from '../../src/payments/watcher/sweep-accounts.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type OddNode, startOddNode } from '../support/odd-node.ts';
import { newIntent, payIntent, readIntent } from '../support/payments.ts';
import type { TestMerchant } from '../support/service.ts';

const paid = { status: 'succeeded', cents: 100 };

interface PlanChain extends TestChain {
  node: OddNode;
}

/** A service whose only node is of a plan like this. */
async function chainWith(alter: OddNode['alter']): Promise<PlanChain> {
  const holder: { node?: OddNode } = {};
  const t = await testChain({}, async (rpcUrl) => {
    holder.node = await startOddNode(rpcUrl);
    return [holder.node.url];
  });
  const node = holder.node!;
  node.alter = alter;
  return Object.assign(t, { node });
}

async function paidAt(t: TestChain, shop: TestMerchant) {
  const intent = await newIntent(shop);
  await payIntent(t, intent, { destinationOwner: address(shop.payoutAddress!) });
  return () => readIntent(shop, intent);
}

const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } });

test.each<[string, number | string]>([
  ['with HTTP 413', 413],
  ['with an error', error(-32602, 'Too many inputs provided; max 5')],
])('a plan of five accounts in one call, refused %s, is learned and kept', async (_, refusal) => {
  const t = await chainWith((method, [list]) =>
    method === 'getMultipleAccounts' && list.length > 5 ? refusal : undefined,
  );
  const log = createLog('silent', () => {});
  const nodes = openNodes({ config: t.service.config, log, metrics: new Metrics() }, [t.node.url], true);
  await nodes.checks.checkFirst();
  async function sweep() {
    const moved: string[] = [];
    await sweepAccounts({
      ...{ db: t.service.db, quorum: nodes.quorum, pollMs: 1, isLate: true },
      ...{ now: t.service.clock.now(), dueBy: t.service.clock.now() },
      signal: new AbortController().signal,
      onMoved: ({ destination }) => moved.push(destination),
      onDue: () => {},
    });
    return moved.sort();
  }
  const lengths = () =>
    t.node.asked
      .splice(0)
      .flatMap(({ method, params }) => (method === 'getMultipleAccounts' ? [params[0].length] : []));
  const shops = [t.shop];
  for (let i = 0; i < 11; i++) shops.push(await t.service.createMerchant(`Shop ${i}`));
  for (const shop of shops) await newIntent(shop);
  await t.finalize();
  lengths();
  expect(await sweep()).toEqual([]);
  expect(lengths()).toEqual([12, 2, 10, 5, 5]);
  const addresses = shops.map(({ payoutAddress }) => payoutAddress!);
  for (const shop of shops) await paidAt(t, shop);
  t.chain.advanceSlots(3);
  expect(await sweep()).toEqual(addresses.sort());
  expect(lengths().toSorted()).toEqual([2, 5, 5]);
});

test.each<[string, string | number]>([
  [
    '-32007 with HTTP 200, which is a skipped slot elsewhere',
    error(-32007, '15/second request limit reached'),
  ],
  ['-32429 with HTTP 200', error(-32429, 'max usage reached')],
  ['429 without Retry-After', 429],
])(
  'a plan that is used up, told by %s: the payment is found when it takes calls again',
  async (_, refusal) => {
    let isUsedUp = true;
    const t = await chainWith(() => (isUsedUp ? refusal : undefined));
    const read = await paidAt(t, t.shop);
    t.node.asked.length = 0;
    for (let i = 0; i < 20; i++) await t.finalize();
    expect((await read()).status).toBe('pending');
    // It is left alone, instead of being asked what it refuses.
    expect(t.node.asked.length).toBeLessThan(5);
    isUsedUp = false;
    await expect
      .poll(
        async () => {
          await t.finalize();
          return read();
        },
        { timeout: 30_000 },
      )
      .toEqual(paid);
  },
);
