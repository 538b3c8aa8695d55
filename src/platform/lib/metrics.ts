/** Counts and durations in Prometheus' text format. Small on purpose: a request costs two map look-ups. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  count: number;
  sum: number;
  buckets: number[];
}

export class Metrics {
  readonly #requests = new Map<string, Series>();
  /** By name, then by labels. */
  readonly #counters = new Map<string, { help: string; values: Map<string, number> }>();
  readonly #gauges = new Map<string, { help: string; reads: Map<string, () => number> }>();

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    const labels = `method="${method}",route="${route}",status="${status}"`;
    let series = this.#requests.get(labels);
    if (!series) {
      series = { count: 0, sum: 0, buckets: BUCKETS_SECONDS.map(() => 0) };
      this.#requests.set(labels, series);
    }
    series.count++;
    series.sum += seconds;
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]!++;
  }

  /** `labels` as Prometheus writes them: `node="1"`. */
  count(name: string, help: string, by = 1, labels = ''): void {
    let counter = this.#counters.get(name);
    if (!counter) {
      counter = { help, values: new Map() };
      this.#counters.set(name, counter);
    }
    counter.values.set(labels, (counter.values.get(labels) ?? 0) + by);
  }

  gauge(name: string, help: string, read: () => number, labels = ''): void {
    const gauge = this.#gauges.get(name) ?? { help, reads: new Map() };
    gauge.reads.set(labels, read);
    this.#gauges.set(name, gauge);
  }

  text(): string {
    const lines = [
      '# HELP florin_http_request_duration_seconds How long requests took.',
      '# TYPE florin_http_request_duration_seconds histogram',
    ];
    for (const [labels, { count, sum, buckets }] of this.#requests) {
      let total = 0;
      for (const [i, bound] of BUCKETS_SECONDS.entries()) {
        total += buckets[i]!;
        lines.push(`florin_http_request_duration_seconds_bucket{${labels},le="${bound}"} ${total}`);
      }
      lines.push(`florin_http_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`florin_http_request_duration_seconds_sum{${labels}} ${sum}`);
      lines.push(`florin_http_request_duration_seconds_count{${labels}} ${count}`);
    }
    for (const [name, { help, values }] of this.#counters)
      lines.push(...metric(name, help, 'counter', [...values]));
    for (const [name, { help, reads }] of this.#gauges) {
      const values = [...reads].map(([labels, read]) => [labels, read()] as const);
      lines.push(...metric(name, help, 'gauge', values));
    }
    return `${lines.join('\n')}\n`;
  }
}

function metric(
  name: string,
  help: string,
  type: string,
  values: readonly (readonly [labels: string, value: number])[],
): string[] {
  const lines = values.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
