import { hostname } from 'node:os';
import { type Config, collectorOf } from '../config/config.ts';
import { version } from '../config/version.ts';
import type { Mailer } from '../email/mailer.ts';
import type { Database } from '../platform/db/database.ts';
import type { App } from '../platform/http/route.ts';
import { elapsedMs } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';
import { SpanExporter } from '../platform/traces/exporter.ts';
import { createSampler } from '../platform/traces/sampler.ts';
import { failureType } from '../platform/traces/span.ts';
import { countSpans } from '../platform/traces/span-counts.ts';
import { traceDatabase } from '../platform/traces/trace-database.ts';
import { traceRequests } from '../platform/traces/trace-requests.ts';
import { type InTurn, Tracer } from '../platform/traces/tracer.ts';
import type { PostResult, Sender } from '../webhooks/send.ts';

/**
 * Functions that trace each part of the service. They are loaded, and each part wrapped, only if a collector is set.
 */
export interface Traces {
  database(db: Database): Database;
  requests(app: App): void;
  sender(sender: Sender): Sender;
  mailer(mailer: Mailer): Mailer;
  /** A run of a job or of the watcher. */
  inTurn: InTurn;
  noteRpcCall(method: string, node: number, ok: boolean, tookMs: number): void;
  /** Sends what waits, within a short time. */
  stop(): Promise<void>;
}

export function openTraces(config: Config, log: Logger, metrics: Metrics): Traces {
  const exporter = new SpanExporter({
    ...{ collector: collectorOf(config)!, origin: originOf(config), log },
    ...countSpans(metrics),
  });
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  const tracer = new Tracer(createSampler(sampler, ratio), (span) => exporter.add(span));
  return {
    database: (db) => traceDatabase(db, tracer),
    requests: (app) => traceRequests(app, tracer),
    sender: (sender) => ({ ...sender, post: tracedPost(sender, tracer) }),
    mailer: (mailer) => ({ send: tracedSend(mailer, tracer) }),
    inTurn: (name, work) => tracer.inTurn(name, work),
    noteRpcCall(method, node, ok, tookMs) {
      const attributes = { 'rpc.system.name': 'jsonrpc', 'rpc.method': method, 'florin.node': node + 1 };
      tracer.noteCall(method, tookMs, { attributes, hasFailed: !ok });
    },
    stop: () => exporter.stop(),
  };
}

function originOf(config: Config) {
  const attributes = {
    'service.name': config.OTEL_SERVICE_NAME,
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'deployment.environment.name': config.FLORIN_NETWORK,
  };
  return { attributes, version };
}

/** Traces deliveries without merchant and address: the delivery log has those. */
function tracedPost(sender: Sender, tracer: Tracer): Sender['post'] {
  return async (post) => {
    const result = await sender.post(post);
    tracer.noteCall('webhook delivery', result.durationMs, outcomeOf(result), { isAlone: true });
    return result;
  };
}

function outcomeOf({ httpStatus, error }: PostResult) {
  const failure = httpStatus === null ? 'no answer' : String(httpStatus);
  return {
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': httpStatus ?? undefined,
      'error.type': error === null ? undefined : failure,
    },
    hasFailed: error !== null,
  };
}

function tracedSend(mailer: Mailer, tracer: Tracer): Mailer['send'] {
  return async (message) => {
    const startedMs = elapsedMs();
    const note = (failure?: string) =>
      tracer.noteCall(
        'send e-mail',
        elapsedMs() - startedMs,
        { attributes: { 'error.type': failure }, hasFailed: failure !== undefined },
        { isAlone: true },
      );
    try {
      await mailer.send(message);
      note();
    } catch (error) {
      note(failureType(error));
      throw error;
    }
  };
}
