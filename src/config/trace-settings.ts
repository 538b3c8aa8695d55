import { SAMPLERS } from '../platform/traces/sampler.ts';
import { collectorUrl, headerPairs, nonEmpty, oneOf, optional, setting, share } from './setting-values.ts';

/** Settings of traces, by the names that OpenTelemetry has given them. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    '',
    'Collector for traces, such as http://127.0.0.1:4318; /v1/traces is appended. Absent: no traces.',
    optional(collectorUrl),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    '',
    'Headers for the collector, such as its key: name=value, comma-separated, values percent-encoded.',
    headerPairs,
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(
    'http/json',
    'How traces are sent. There is only http/json.',
    oneOf(['http/json'] as const),
  ),
  OTEL_SERVICE_NAME: setting('florin', 'What the service is called in traces.', nonEmpty),
  OTEL_TRACES_SAMPLER: setting(
    'parentbased_always_on',
    'Which traces are recorded: always_on, always_off, traceidratio, or parentbased_ and one of them, which does as the caller does.',
    oneOf(SAMPLERS),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting('1', 'The share that traceidratio records, from 0 to 1.', share),
};
