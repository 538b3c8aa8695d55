import { generateKeyPairSync } from 'node:crypto';
import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import { feePayerOf } from '../../src/chain/fee-payer/fee-payer.ts';
import { chainNodes } from '../../src/chain/nodes/chain-node.ts';
import { witnessesOf } from '../../src/chain/nodes/witnesses.ts';
import { invalidAnswerWarnings } from '../../src/chain/solana/invalid-answers.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { NodeHealth } from '../../src/chain/solana/node-health.ts';
import { nodeMetrics } from '../../src/chain/solana/node-metrics.ts';
import { findWatched, listWatched, type WatchedAccount } from '../../src/chain/solana/queries.ts';
import { createRpc, type Rpc } from '../../src/chain/solana/rpc.ts';
import { watchKeeper } from '../../src/chain/solana/watched-account.ts';
import { quorumOf } from '../../src/config/config.ts';
import { MerchantTurns } from '../../src/intents/merchant-turns.ts';
import { runDueWork } from '../../src/operations/due-work/run-due-work.ts';
import { type ReconcileInput, reconcile } from '../../src/payments/reconcile/reconcile.ts';
import type { ReconcileReport } from '../../src/payments/reconcile/report.ts';
import { createSponsor } from '../../src/payments/sponsor/create-sponsor.ts';
import { followSponsored } from '../../src/payments/sponsor/follow-sponsored.ts';
import type { Sponsor } from '../../src/payments/sponsor/sponsor.ts';
import { nodeChecks } from '../../src/payments/watcher/check-nodes.ts';
import { checkReferences } from '../../src/payments/watcher/check-references.ts';
import { checkRefunds } from '../../src/payments/watcher/check-refunds.ts';
import { disagreementRecord, nodeName } from '../../src/payments/watcher/disagreements.ts';
import { followFinality } from '../../src/payments/watcher/follow-finality.ts';
import { pollAccount } from '../../src/payments/watcher/poll-account.ts';
import { Quorum } from '../../src/payments/watcher/quorum.ts';
import type { WatchStep } from '../../src/payments/watcher/read-account.ts';
import { rescanNext } from '../../src/payments/watcher/rescan.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { TestWallet } from '../../src/sandbox/test-wallet.ts';
import { cleanUp } from './clean-up.ts';
import { type TestMerchant, type TestService, testService } from './service.ts';
import { createWallet, type Wallet } from './wallet.ts';

export interface TestChain {
  chain: SandboxChain;
  service: TestService;
  shop: TestMerchant;
  /** The merchant's own wallet: its keys are here so that tests can misuse them. */
  merchant: Wallet;
  customer: Wallet;
  /** Pays network fees for those who hold no SOL. */
  sponsor: Sponsor;
  /** One turn of following what the sponsor has signed. */
  follow(): Promise<void>;
  /** Lets slots pass until nothing can land any more that the sponsor has signed, as the worker sees. */
  lapse(): Promise<void>;
  /** One look at everything, as the watcher does again and again. */
  look(): Promise<void>;
  /** Ends enough slots for everything to be final, and looks. */
  finalize(): Promise<void>;
  /** Runs everything the time has made due; answers how many intents expired. */
  expire(): Promise<number>;
  /** One turn of the closer look by reference. */
  lookCloser(): Promise<void>;
  /** One turn of the nightly rescan; does nothing before the night. */
  rescan(): Promise<void>;
  /** Compares the books with the chain; with `isRepairing` it credits what they lack. */
  reconcile(isRepairing?: boolean, more?: Partial<ReconcileInput>): Promise<ReconcileReport>;
  /** Lines that the watcher has logged. */
  log: string[];
  /** Metrics of the watcher's nodes since they were opened, as text. */
  nodeMetrics(): string;
  /** One round of asking every node whether it is there. */
  checkNodes(): Promise<void>;
  /** The same of those that are not well. */
  checkUnwell(): Promise<void>;
  /** The watcher restarts, with these nodes. */
  restartWith(urls: readonly string[]): Promise<void>;
  /** Lets time pass for the nodes alone. */
  elapse(seconds: number): void;
  /** Number of contradictions on record for each node. */
  disagreements: number[];
  /** Methods that the watcher's steps have called at the node, in order. */
  calls: string[];
}

async function testSponsor(chain: SandboxChain, rpc: Rpc): Promise<Sponsor> {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]);
  const feePayer = await feePayerOf(bytes);
  await chain.fund(address(feePayer.address));
  return createSponsor({
    feePayer,
    rpc,
    mint: USDC_MINTS.sandbox,
    limitLamportsPerDay: 50_000_000n,
    merchantLimitLamportsPerDay: null,
    minLamports: 10_000_000n,
    defaultMode: 'when_needed',
    keepMs: 0,
  });
}

/** The real service, the real runtime and the real watcher's steps; slots end by hand, so nothing waits. */
export async function testChain(
  env: Record<string, string> = {},
  /** The nodes the watcher asks, given the chain's own address; default: the chain itself. */
  nodesOf?: (rpcUrl: string, chain: SandboxChain) => Promise<string[]>,
  /** Time that the watcher waits for an answer: long if a busy machine must not count as a silent node. */
  timeoutMs = 2_000,
  {
    settleWaitMs,
    isSponsored = true,
    sharedChain,
  }: { settleWaitMs?: number; isSponsored?: boolean; sharedChain?: SandboxChain } = {},
): Promise<TestChain> {
  const holder: { service?: TestService } = {};
  const now = () => holder.service?.clock.now() ?? new Date();
  const chain = sharedChain ?? (await startSandboxChain({ slotMs: 0, now }));
  if (!sharedChain) {
    cleanUp(() => chain.stop());
    // A chain whose first slots are final already, as any real one is.
    chain.advanceSlots(40);
  }
  const mint = USDC_MINTS.sandbox;
  const rpc = createRpc({ urls: [chain.rpcUrl], timeoutMs: 2_000, maxPerSecond: 100_000 });
  const urls = nodesOf ? await nodesOf(chain.rpcUrl, chain) : [chain.rpcUrl];
  const sandbox = {
    wallet: new TestWallet(chain, rpc, mint),
    async runDue() {
      await finalize();
      await expire();
    },
  };
  const sponsor = await testSponsor(chain, rpc);
  const service = await testService(
    { SOLANA_RPC_URLS: urls.join(','), ...env },
    undefined,
    sandbox,
    undefined,
    { sponsor: isSponsored ? sponsor : undefined, ...(settleWaitMs !== undefined && { settleWaitMs }) },
  );
  holder.service = service;
  const merchant = await createWallet(chain);
  const customer = await createWallet(chain, { usdcBaseUnits: 10n ** 15n });
  const shop = await service.createMerchant('Shop', merchant.address);
  const calls: string[] = [];
  const references = new MerchantTurns();
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const isStrict = service.config.SOLANA_RPC_QUORUM_STRICT;
  let elapsedMs = 0;
  const nowMs = () => elapsedMs;
  const disagreements = service.config.SOLANA_RPC_URLS.map(() => 0);

  /** Creates what a watcher keeps about its nodes from its start on. */
  async function openNodes(nodeUrls: readonly string[]) {
    const names = nodeUrls.map(nodeName);
    const metrics = new Metrics();
    const counts = nodeMetrics(metrics, nodeUrls.length);
    const warnOfInvalid = invalidAnswerWarnings(names, log);
    const health = new NodeHealth({ nodeCount: nodeUrls.length, isStrict, nowMs });
    const nodeRpc = createRpc({
      urls: nodeUrls,
      timeoutMs,
      maxPerSecond: 100_000,
      onCall(method, ok, node) {
        calls.push(method);
        health.noteCall(node, ok);
      },
      onInvalidAnswer(node, method, problem) {
        counts.noteInvalidAnswer(node);
        warnOfInvalid(node, method, problem);
      },
      onLimited: (node) => health.noteCall(node, false),
    });
    counts.showHealth(health);
    const network = service.config.FLORIN_NETWORK;
    const checks = nodeChecks({ rpc: nodeRpc, network, mint, health, names, log });
    await checks.checkFirst();
    calls.length = 0;
    const quorum = new Quorum({
      nodes: chainNodes(checks.checkedRpc, checks.confirm),
      health,
      rule: { quorum: Math.min(quorumOf(service.config), nodeUrls.length), isStrict },
      disagreements: disagreementRecord({ names, log, onDisagreement: (node) => disagreements[node]!++ }),
      nowMs,
      maxRestMs: 0,
    });
    return { quorum, witnesses: witnessesOf(nodeRpc, quorum, checks.confirm), checks, metrics };
  }
  let { quorum, witnesses, checks, metrics } = await openNodes(service.config.SOLANA_RPC_URLS);

  const step = (): WatchStep => {
    const { db, clock } = service;
    return { db, quorum, mint, now: clock.now(), wakeWebhooks: () => {} };
  };
  async function look(): Promise<void> {
    const { db, clock } = service;
    for (const account of await listWatched(db, clock.now())) {
      const turn = (current: WatchedAccount) =>
        pollAccount({ ...step(), account: current, fresh: true }, log);
      for (let { hasMore } = await turn(account); hasMore; )
        ({ hasMore } = await turn((await findWatched(db, account.destination))!));
    }
    await followFinality(step());
    // Now, whenever their next look is due.
    await db.query('update refunds set check_at = $1 where check_at is not null', [clock.now()]);
    for (const which of ['open', 'over'] as const) while (await checkRefunds(step(), log, which));
  }
  async function finalize(): Promise<void> {
    chain.advanceSlots(40);
    await look();
  }
  const follow = () => followSponsored({ db: service.db, rpc, witnesses, log }, service.clock.now());
  const ensureWatched = watchKeeper(service.db, service.clock, mint);
  async function expire(): Promise<number> {
    const { db, clock } = service;
    const countExpired = async () =>
      Number(
        (
          await db.query<{ count: bigint }>(`select count(*) from payment_intents where status = 'expired'`)
        )[0]!.count,
      );
    const before = await countExpired();
    await runDueWork({ db, log, ensureWatched, mint, publicUrl: () => 'http://127.0.0.1' }, clock.now());
    return (await countExpired()) - before;
  }
  return {
    chain,
    service,
    sponsor,
    follow,
    async lapse() {
      const isNew = `select from sponsored_transactions where state in ('prepared', 'sent') and lapses_at_height is null`;
      if ((await service.db.query(isNew)).length > 0) await follow();
      await service.db.query('update sponsored_transactions set next_check_at = created_at');
      chain.advanceSlots(400);
      await follow();
    },
    shop,
    merchant,
    customer,
    look,
    finalize,
    calls,
    log: lines,
    nodeMetrics: () => metrics.text(),
    disagreements,
    checkNodes: () => checks.checkAgain(),
    checkUnwell: () => checks.checkUnwell(),
    async restartWith(nodeUrls) {
      ({ quorum, witnesses, checks, metrics } = await openNodes(nodeUrls));
    },
    elapse(seconds) {
      elapsedMs += seconds * 1000;
    },
    rescan: () => rescanNext({ ...step(), log }),
    reconcile: (isRepairing = false, more = {}) =>
      reconcile({
        db: service.db,
        node: quorum.counting()[0]!,
        mint: USDC_MINTS.sandbox,
        repair: isRepairing ? step() : undefined,
        ...more,
      }),
    lookCloser: () => checkReferences(step(), log, references),
    expire,
  };
}
