import type { Metrics } from '../../platform/lib/metrics.ts';
import type { NodeHealth } from './node-health.ts';
import type { Rpc } from './rpc.ts';

/** Metrics of each Solana node. */
export function nodeMetrics(metrics: Metrics, nodeCount: number) {
  const label = (node: number) => `node="${node + 1}"`;
  const nodes = Array.from({ length: nodeCount }, (_, node) => node);

  function countCall(node: number, ok: boolean, by: number): void {
    const name = `florin_rpc_calls_${ok ? 'ok' : 'failed'}_total`;
    metrics.count(name, 'Calls to Solana nodes.', by, label(node));
  }
  for (const node of nodes) for (const ok of [true, false]) countCall(node, ok, 0);

  function noteInvalidAnswer(node: number, by = 1): void {
    const help = 'Answers of Solana nodes that are not what their method promises.';
    metrics.count('florin_rpc_invalid_answers_total', help, by, label(node));
  }
  for (const node of nodes) noteInvalidAnswer(node, 0);

  function noteDisagreement(node: number, by = 1): void {
    const help = 'Transactions about which a Solana node contradicts the others.';
    metrics.count('florin_rpc_disagreements_total', help, by, label(node));
  }

  return {
    noteCall(method: string, node: number, ok: boolean, tookMs: number): void {
      countCall(node, ok, 1);
      metrics.count(
        'florin_rpc_method_calls_total',
        'Calls to Solana nodes by method.',
        1,
        `method="${method}"`,
      );
      const help = 'How long Solana nodes took to answer, or not to.';
      metrics.observe('florin_rpc_call_duration_seconds', help, tookMs / 1000, label(node));
    },
    noteInvalidAnswer,
    noteDisagreement,
    showLimits(rpc: Rpc): void {
      const help = 'For how much longer the provider of a Solana node refuses calls.';
      for (const node of nodes)
        metrics.gauge('florin_rpc_node_limited_seconds', help, () => rpc.limitedMs(node) / 1000, label(node));
    },
    /** Only where they are watched: elsewhere they would always look well. */
    showHealth(health: NodeHealth): void {
      for (const node of nodes) {
        noteDisagreement(node, 0);
        const gauge = (name: string, help: string, read: () => number) =>
          metrics.gauge(name, help, read, label(node));
        const counting =
          'Whether a Solana node counts toward the quorum: 0 after 2 minutes without a response.';
        gauge('florin_rpc_node_counting', counting, () => (health.counts(node) ? 1 : 0));
        const slot = 'The last final slot a Solana node reported; 0: none yet.';
        gauge('florin_rpc_node_slot', slot, () => Math.max(health.finalSlot(node), 0));
        const lag = 'How many final slots a Solana node is behind the furthest of them.';
        gauge('florin_rpc_node_lag_slots', lag, () => health.slotsBehind(node));
      }
    },
  };
}
