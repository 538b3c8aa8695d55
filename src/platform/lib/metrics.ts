/** Counts and durations in Prometheus' text format. Small on purpose: a request costs three map look-ups. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const REQUESTS = 'florin_http_request_duration_seconds';

interface Series {
  count: number;
  sum: number;
  buckets: number[];
}

interface Family<Value> {
  help: string;
  /** By labels, as Prometheus writes them: `node="1"`. */
  values: Map<string, Value>;
}

/** A value that is read when somebody asks. */
interface Reading extends Family<() => number> {
  type: 'gauge' | 'counter';
}

export class Metrics {
  readonly #histograms = new Map<string, Family<Series>>();
  readonly #counters = new Map<string, Family<number>>();
  readonly #readings = new Map<string, Reading>();
  /** By route, method and status: putting the labels together for each request would cost more than counting it. */
  readonly #requests = new Map<string, Map<string, Map<number, Series>>>();

  constructor() {
    this.#histograms.set(REQUESTS, { help: 'How long requests took.', values: new Map() });
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    const known = this.#requests.get(route)?.get(method)?.get(status);
    add(known ?? this.#requestSeries(method, route, status), seconds);
  }

  #requestSeries(method: string, route: string, status: number): Series {
    const series = this.#series(REQUESTS, '', `method="${method}",route="${route}",status="${status}"`);
    const ofRoute = this.#requests.get(route) ?? new Map<string, Map<number, Series>>();
    this.#requests.set(route, ofRoute.set(method, (ofRoute.get(method) ?? new Map()).set(status, series)));
    return series;
  }

  observe(name: string, help: string, seconds: number, labels: string): void {
    add(this.#series(name, help, labels), seconds);
  }

  #series(name: string, help: string, labels: string): Series {
    const { values } = familyOf(this.#histograms, name, help);
    let series = values.get(labels);
    if (!series) {
      series = { count: 0, sum: 0, buckets: BUCKETS_SECONDS.map(() => 0) };
      values.set(labels, series);
    }
    return series;
  }

  /** By 0: it is there before anything was counted, so that the first count is seen as an increase. */
  count(name: string, help: string, by = 1, labels = ''): void {
    const { values } = familyOf(this.#counters, name, help);
    values.set(labels, (values.get(labels) ?? 0) + by);
  }

  /** `counter` for what only grows. */
  gauge(name: string, help: string, read: () => number, labels = '', type: Reading['type'] = 'gauge'): void {
    const reading = this.#readings.get(name) ?? { help, type, values: new Map() };
    reading.values.set(labels, read);
    this.#readings.set(name, reading);
  }

  text(): string {
    const lines: string[] = [];
    for (const [name, { help, values }] of this.#histograms) {
      lines.push(...head(name, help, 'histogram'));
      for (const [labels, series] of values) lines.push(...histogram(name, labels, series));
    }
    for (const [name, { help, values }] of this.#counters) {
      lines.push(...head(name, help, 'counter'));
      for (const [labels, value] of values) lines.push(sample(name, labels, value));
    }
    for (const [name, { help, type, values }] of this.#readings) {
      lines.push(...head(name, help, type));
      for (const [labels, read] of values) lines.push(sample(name, labels, readingOf(read)));
    }
    return `${lines.join('\n')}\n`;
  }
}

/** One that cannot be read, because no file can be opened any more, hides none of the others. */
function readingOf(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}

function add(series: Series, seconds: number): void {
  series.count++;
  series.sum += seconds;
  const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
  if (bucket >= 0) series.buckets[bucket]!++;
}

function familyOf<Value>(families: Map<string, Family<Value>>, name: string, help: string): Family<Value> {
  let family = families.get(name);
  if (!family) {
    family = { help, values: new Map() };
    families.set(name, family);
  }
  return family;
}

const head = (name: string, help: string, type: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const sample = (name: string, labels: string, value: number) => `${name}${labels && `{${labels}}`} ${value}`;

function histogram(name: string, labels: string, { count, sum, buckets }: Series): string[] {
  let total = 0;
  const lines = BUCKETS_SECONDS.map((bound, i) => {
    total += buckets[i]!;
    return `${name}_bucket{${labels},le="${bound}"} ${total}`;
  });
  return [
    ...lines,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ];
}
