import { realNow } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { App } from './route.ts';
import { callerTrace } from './traceparent.ts';

/** One in this many successful requests is logged; refused and slow ones always are. */
export interface RequestLog {
  sampleEvery: number;
  slowMs: number;
}

/** Measures every request. Logging each would cost a tenth of the throughput, so successes are sampled. */
export function observeRequests(app: App, metrics: Metrics, { sampleEvery, slowMs }: RequestLog): void {
  let seen = 0;
  app.addHook('onResponse', (request, reply, done) => {
    const ms = reply.elapsedTime;
    const route = request.routeOptions.url ?? '(unknown)';
    metrics.observeRequest(request.method, route, reply.statusCode, ms / 1000);
    const sampled = sampleEvery > 0 && seen++ % sampleEvery === 0;
    // An offer is an answer like any other: programs ask for many more than they pay.
    const isRefused = reply.statusCode >= 400 && !reply.hasHeader('PAYMENT-REQUIRED');
    if (sampled || ms >= slowMs || isRefused) {
      request.log.info(
        {
          traceId: request.id,
          ...callerTrace(request),
          method: request.method,
          route,
          status: reply.statusCode,
          ms: Math.round(ms * 10) / 10,
        },
        'request',
      );
    }
    done();
  });
}

/** Numbers about the process itself. */
export function processGauges(metrics: Metrics): void {
  const startedMs = realNow().getTime();
  metrics.gauge('florin_resident_memory_bytes', 'Memory the process holds.', () => process.memoryUsage.rss());
  metrics.gauge('florin_heap_used_bytes', 'JavaScript memory in use.', () => process.memoryUsage().heapUsed);
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  metrics.gauge('florin_cpu_seconds_total', 'CPU time used.', cpuSeconds, '', 'counter');
  metrics.gauge('florin_uptime_seconds', 'Time since start.', () => (realNow().getTime() - startedMs) / 1000);
}
