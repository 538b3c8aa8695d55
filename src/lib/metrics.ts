/** Counts and durations in Prometheus' text format. Small on purpose: a request costs two map look-ups. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  count: number;
  sum: number;
  buckets: number[];
}

export class Metrics {
  readonly #requests = new Map<string, Series>();
  readonly #counters = new Map<string, { help: string; value: number }>();
  readonly #gauges = new Map<string, { help: string; read: () => number }>();

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

  count(name: string, help: string, by = 1): void {
    const counter = this.#counters.get(name);
    if (counter) counter.value += by;
    else this.#counters.set(name, { help, value: by });
  }

  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, { help, read });
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
    for (const [name, { help, value }] of this.#counters) lines.push(...metric(name, help, 'counter', value));
    for (const [name, { help, read }] of this.#gauges) lines.push(...metric(name, help, 'gauge', read()));
    return `${lines.join('\n')}\n`;
  }
}

function metric(name: string, help: string, type: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
