import type { Metrics } from '../lib/metrics.ts';

const SENT = 'florin_trace_spans_sent_total';
const DROPPED = 'florin_trace_spans_dropped_total';
const HELP = 'Spans that a collector took, and that were dropped because it did not.';

/** Both are there in every process: without a collector they stay 0. */
export function countSpans(metrics: Metrics) {
  metrics.count(SENT, HELP, 0);
  metrics.count(DROPPED, HELP, 0);
  return {
    onSent: (spans: number) => metrics.count(SENT, HELP, spans),
    onDropped: (spans: number) => metrics.count(DROPPED, HELP, spans),
  };
}
