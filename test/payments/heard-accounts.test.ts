import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { mentionedTransactions } from '../../src/payments/watcher/read-mentioned.ts';
import { startWatcher } from '../../src/payments/watcher/start-watcher.ts';
import type { WatcherParts } from '../../src/payments/watcher/watcher-parts.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { type OddNode, startOddNode } from '../support/odd-node.ts';
import { expectSoundBooks, newIntent, payIntent, readIntent, sendFrom } from '../support/payments.ts';

const POLL_MS = 200;
const PAID = { status: 'succeeded', cents: 100 };

interface Watching {
  t: TestChain;
  parts: WatcherParts;
  lines: string[];
  metrics: Metrics;
}

/** Parts of a watcher of the chain's own node, with notifications or without. */
async function open(wsUrl: 'heard' | 'deaf'): Promise<Watching> {
  const t = await testChain();
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const metrics = new Metrics();
  const { quorum, checks } = openNodes({ config: t.service.config, log, metrics }, [t.chain.rpcUrl], true);
  await checks.checkFirst();
  const parts = {
    ...{ db: t.service.db, clock: t.service.clock, log, metrics, quorum, checks },
    wsUrl: wsUrl === 'heard' ? t.chain.wsUrl : undefined,
    wsMaxAccounts: 10,
    mint: USDC_MINTS.sandbox,
    wakeWebhooks: () => {},
    pollMs: POLL_MS,
    finalityMs: 50,
  };
  return { t, parts, lines, metrics };
}

async function watch(watching: Watching) {
  const watcher = startWatcher(watching.parts);
  cleanUp(() => watcher.stop());
}

const until = async (isSo: () => Promise<boolean> | boolean) => {
  while (!(await isSo())) await sleep(10);
};

const gauge = ({ metrics }: Watching, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics.text())?.[1] ?? 0);
const looks = ({ metrics }: Watching) =>
  Number(/method_calls_total\{method="getMultipleAccounts"\} (\d+)/.exec(metrics.text())?.[1] ?? 0);

/** One payment, to know that its account is subscribed to, and that nothing is under way any more. */
async function settleFirst(watching: Watching): Promise<void> {
  const { t } = watching;
  const intent = await newIntent(t.shop);
  await until(() => gauge(watching, 'florin_watcher_unheard_accounts') === 0 && looks(watching) > 0);
  await payIntent(t, intent);
  t.chain.advanceSlots(40);
  await until(async () => (await readIntent(t.shop, intent)).status === 'succeeded');
}

test('while all accounts are heard, the balances are looked at six times less often, and what is heard is found at once', async () => {
  const watching = await open('heard');
  await watch(watching);
  await settleFirst(watching);
  const [before, startedMs] = [looks(watching), performance.now()];
  await sleep(12 * POLL_MS);
  // One look of each kind of turn may fall into the time besides.
  const expected = (performance.now() - startedMs) / (6 * POLL_MS);
  expect(looks(watching) - before).toBeLessThanOrEqual(expected + 3);
  await expectSoundBooks(watching.t);
});

test('without notifications they are looked at as often as the setting says', async () => {
  const watching = await open('deaf');
  await newIntent(watching.t.shop);
  await watch(watching);
  const before = looks(watching);
  let passes = 0;
  for (; looks(watching) - before < 12; passes++) await sleep(POLL_MS);
  // As many as passed, or more where this process was held up: never one in six.
  expect(passes).toBeLessThan(48);
});

test('a socket that answers pings and carries no notifications: the payment is found by a look, and the socket is replaced', async () => {
  const watching = await open('heard');
  const { t } = watching;
  await watch(watching);
  await settleFirst(watching);
  // A notification of a few seconds before a change may be the one that announced it.
  await sleep(6_000);
  const before = looks(watching);
  await until(() => looks(watching) >= before + 2);
  const lost = await newIntent(t.shop);
  t.chain.faults.set({ rules: [{ kind: 'loseNotification', methods: ['logsNotification'] }] });
  await payIntent(t, lost);
  t.chain.advanceSlots(40);
  await until(async () => (await readIntent(t.shop, lost)).status === 'succeeded');
  expect(t.chain.faults.struck[0]).toBeGreaterThan(0);
  await until(() => watching.lines.some((line) => line.includes('was not announced')));
  t.chain.faults.clear();
  const next = await newIntent(t.shop);
  await payIntent(t, next);
  t.chain.advanceSlots(40);
  await until(async () => (await readIntent(t.shop, next)).status === 'succeeded');
  await expectSoundBooks(t);
});

/** A node between, and what it was asked. */
async function openOdd(): Promise<
  Watching & {
    node: OddNode;
    note(signature: string): void;
    /** Resolves when what was noted has been read, or left to the history. */
    over(): Promise<unknown>;
    woken: string[];
  }
> {
  const t = await testChain();
  const node = await startOddNode(t.chain.rpcUrl);
  const log = createLog('warn', () => {});
  const metrics = new Metrics();
  const { quorum, checks } = openNodes({ config: t.service.config, log, metrics }, [node.url], true);
  await checks.checkFirst();
  const parts = {
    ...{ db: t.service.db, clock: t.service.clock, log, metrics, quorum, checks },
    ...{ wsUrl: undefined, wsMaxAccounts: 1, mint: USDC_MINTS.sandbox, wakeWebhooks: () => {} },
    ...{ pollMs: POLL_MS, finalityMs: 50 },
  };
  const woken: string[] = [];
  const stopping = new AbortController();
  const mentioned = mentionedTransactions(parts, stopping.signal, (destination) => woken.push(destination));
  cleanUp(async () => {
    stopping.abort();
    await Promise.all(mentioned.underWay());
  });
  const note = (signature: string) => mentioned.note(t.merchant.address, signature);
  const over = () => Promise.all(mentioned.underWay());
  return { t, parts, metrics, lines: [], node, note, over, woken };
}

const asked = ({ asked }: OddNode, method: string) => asked.filter((call) => call.method === method).length;

test('an announced transaction that the node shows only later, and lists even later, is requested again', async () => {
  const { t, node, note, woken } = await openOdd();
  const intent = await newIntent(t.shop);
  let refusals = 2;
  node.alter = (method, _, text) => {
    if (method === 'getSignaturesForAddress') return '{"jsonrpc":"2.0","id":1,"result":[]}';
    return method === 'getTransaction' && refusals-- > 0 ? '{"jsonrpc":"2.0","id":1,"result":null}' : text;
  };
  const signature = await payIntent(t, intent);
  t.chain.advanceSlots(3);
  note(signature);
  note(signature);
  await until(async () => (await readIntent(t.shop, intent)).status === 'processing');
  expect([asked(node, 'getTransaction'), asked(node, 'getSignaturesForAddress'), woken]).toEqual([3, 0, []]);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  await expectSoundBooks(t);
});

test('one that no node shows is left to the history; one that is known, or names the account in vain, costs nothing more', async () => {
  const { t, node, note, over, woken } = await openOdd();
  const intent = await newIntent(t.shop);
  const paid = await payIntent(t, intent);
  await t.finalize();
  note(paid);
  const stranger = await sendFrom(t);
  t.chain.advanceSlots(3);
  note(stranger);
  await over();
  expect(asked(node, 'getTransaction')).toBe(1);
  expect(woken).toEqual([]);
  node.alter = (method) =>
    method === 'getTransaction' ? '{"jsonrpc":"2.0","id":1,"result":null}' : undefined;
  const hidden = await payIntent(t, await newIntent(t.shop));
  note(hidden);
  await over();
  expect(woken).toEqual([t.merchant.address]);
  expect(
    node.asked.filter(({ method }) => method === 'getTransaction').map(({ params }) => params[0]),
  ).toEqual([stranger, hidden, hidden, hidden]);
});

test('many at once are read from the history, which lists them in one call', async () => {
  const { t, node, note, woken } = await openOdd();
  node.alter = (method) =>
    method === 'getTransaction' ? '{"jsonrpc":"2.0","id":1,"result":null}' : undefined;
  const intent = await newIntent(t.shop);
  for (let i = 0; i < 12; i++) note(await payIntent(t, intent, { amountBaseUnits: BigInt(i + 1) }));
  expect(woken).toEqual([t.merchant.address, t.merchant.address]);
});
