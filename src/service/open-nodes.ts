import { chainNodes } from '../chain/nodes/chain-node.ts';
import { type Witnesses, witnessesOf } from '../chain/nodes/witnesses.ts';
import { invalidAnswerWarnings } from '../chain/solana/invalid-answers.ts';
import { NodeHealth, type NodeState } from '../chain/solana/node-health.ts';
import { nodeMetrics } from '../chain/solana/node-metrics.ts';
import { createRpc, type Rpc } from '../chain/solana/rpc.ts';
import { type Config, mintOf, quorumOf } from '../config/config.ts';
import { type NodeChecks, nodeChecks } from '../payments/watcher/check-nodes.ts';
import { disagreementRecord, nodeName } from '../payments/watcher/disagreements.ts';
import { Quorum } from '../payments/watcher/quorum.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';
import type { Traces } from './open-traces.ts';

export interface NodeParts {
  config: Config;
  log: Logger;
  metrics: Metrics;
  /** Absent where no collector is set. */
  traces?: Traces | undefined;
}

export interface Nodes {
  rpc: Rpc;
  quorum: Quorum;
  witnesses: Witnesses;
  checks: NodeChecks;
}

/** The configured nodes: how they are called, when they are believed, and what is reported about them. */
export function openNodes(
  { config, log, metrics, traces }: NodeParts,
  urls: readonly string[],
  isWatcher: boolean,
): Nodes {
  const names = urls.map(nodeName);
  const counts = nodeMetrics(metrics, urls.length);
  const isStrict = config.SOLANA_RPC_QUORUM_STRICT;
  const health = new NodeHealth({
    nodeCount: urls.length,
    isStrict,
    onChange(node, state) {
      if (state !== 'refused') log.warn({ node: names[node], state }, STATES[state]);
    },
  });
  const warnOfInvalid = invalidAnswerWarnings(names, log);
  const rpc = createRpc({
    urls,
    maxPerSecond: config.SOLANA_MAX_CALLS_PER_SECOND,
    onCall(method, ok, node, tookMs) {
      counts.noteCall(method, node, ok, tookMs);
      traces?.noteRpcCall(method, node, ok, tookMs);
      health.noteCall(node, ok);
    },
    onInvalidAnswer(node, method, problem) {
      counts.noteInvalidAnswer(node);
      warnOfInvalid(node, method, problem);
    },
    // Without a call it would look as if it had only failed once, and be waited for as long as the pause lasts.
    onLimited: (node) => health.noteCall(node, false),
  });
  counts.showLimits(rpc);
  const checks = nodeChecks({
    rpc,
    network: config.FLORIN_NETWORK,
    mint: mintOf(config),
    health,
    names,
    log,
  });
  const disagreements = disagreementRecord({ names, log, onDisagreement: counts.noteDisagreement });
  const rule = { quorum: quorumOf(config), isStrict };
  const nodes = chainNodes(checks.checkedRpc, checks.confirm);
  const quorum = new Quorum({ nodes, health, rule, disagreements });
  if (isWatcher) {
    counts.showHealth(health);
    warnOfFewNodes(config, names, log);
  }
  return { rpc, quorum, witnesses: witnessesOf(rpc, quorum, checks.confirm), checks };
}

/** One that is refused is named with the reason where that is found out. */
const STATES: Record<Exclude<NodeState, 'refused'>, string> = {
  well: 'a Solana node answers again',
  failing: 'a Solana node does not answer',
  silent: 'a Solana node has not answered for 2 minutes',
  stuck: 'the chain of a Solana node has stood still for 2 minutes',
};

function warnOfFewNodes({ FLORIN_NETWORK }: Config, names: readonly string[], log: Logger): void {
  if (FLORIN_NETWORK !== 'mainnet') return;
  if (names.length === 1)
    log.warn('a single Solana node decides what was paid; set SOLANA_RPC_URLS to two or more providers');
  else if (new Set(names).size < names.length)
    log.warn({ nodes: names }, 'several Solana nodes belong to one provider, so they may be wrong together');
}
