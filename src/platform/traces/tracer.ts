import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsedMs, realNow } from '../lib/clock.ts';
import { randomSlice } from '../lib/random.ts';
import type { Sampler } from './sampler.ts';
import { type Attributes, failureType, type Kind, type Span } from './span.ts';

/** A span that is under way. */
export interface OpenSpan {
  trace: Trace;
  spanId: string;
  parentId: string | undefined;
  /** True if nothing of ours is above it: when it ends, our part of the trace does. */
  isFirst: boolean;
  name: string;
  kind: Kind;
  startedMs: number;
}

/** Our part of a trace: the first span here, and what is below it. */
interface Trace {
  traceId: string;
  isSampled: boolean;
  /** From elapsed time to the time of day: taken once, so that the spans of a trace are in order. */
  offsetMs: number;
  /**
   * Time its first span ended. A span that begins later was only started there, such as by a timer, and is not part of
   * it.
   */
  endedMs: number;
  /** Spans held back until it is known whether anything was done. */
  held: Span[] | undefined;
}

export interface Caller {
  traceId: string;
  parentId: string;
  isSampled: boolean;
}

export interface Outcome {
  attributes?: Attributes;
  hasFailed?: boolean;
  /** Only reads of the database are none: a job that found nothing to do leaves no trace. */
  isWork?: boolean;
}

/** Runs `work` as a trace of its own, under this name. */
export type InTurn = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** A turn that takes so long is worth a look even if it did nothing. */
const SLOW_MS = 1_000;
/** A turn that reads more often than this is worth a look too. */
const MAX_HELD = 1_000;

/** Knows which span is under way wherever it is asked, and hands over each that is over and sampled. */
export class Tracer {
  readonly #current = new AsyncLocalStorage<OpenSpan>();
  readonly #sampler: Sampler;
  readonly #keep: (span: Span) => void;

  constructor(sampler: Sampler, keep: (span: Span) => void) {
    this.#sampler = sampler;
    this.#keep = keep;
  }

  /** Begins the span of a request: below its caller's, or below the one under way if the service called itself. */
  beginRequest(caller: Caller | undefined): OpenSpan {
    const current = this.#underWay();
    if (!caller && current) return below(current, 'request', 'server');
    return first(this.#newTrace(caller), caller?.parentId, 'request', 'server');
  }

  /** Runs `work`, which makes all that it begins a part of the span. */
  inside<Result>(span: OpenSpan, work: () => Result): Result {
    return this.#current.run(span, work);
  }

  /** A run of something that comes again and again, as a trace of its own. It is kept if there was something to do. */
  inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const trace = this.#newTrace();
    trace.held = [];
    return this.#run(first(trace, undefined, name, 'internal'), work);
  }

  /** A part of what is under way that has parts itself. */
  part<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result> {
    const current = this.#underWay();
    if (!current?.trace.isSampled) return work();
    return this.#run(below(current, name, 'internal'), work, attributes);
  }

  /** A call that has just ended. Outside of any span it is a trace of its own where `isAlone`, and nothing otherwise. */
  noteCall(name: string, tookMs: number, outcome: Outcome, { isAlone = false } = {}): void {
    const startedMs = elapsedMs() - tookMs;
    const current = this.#current.getStore();
    if (current && startedMs <= current.trace.endedMs)
      this.end({ ...below(current, name, 'client'), startedMs }, outcome);
    else if (isAlone) this.end({ ...first(this.#newTrace(), undefined, name, 'client'), startedMs }, outcome);
  }

  /** True if a statement or call that begins now would be part of a sampled trace. */
  isRecording(): boolean {
    return this.#underWay()?.trace.isSampled ?? false;
  }

  end(span: OpenSpan, { attributes = {}, hasFailed = false, isWork = true }: Outcome): void {
    const { trace, isFirst, startedMs, ...named } = span;
    if (!trace.isSampled) return;
    const { traceId, offsetMs } = trace;
    const endedMs = elapsedMs();
    const times = { startMs: startedMs + offsetMs, endMs: endedMs + offsetMs };
    this.#hold(trace, isWork || hasFailed, { traceId, ...named, ...times, attributes, hasFailed });
    if (!isFirst) return;
    trace.endedMs = endedMs;
    // Nothing was done, and nothing is said of what comes later.
    if (trace.held) trace.isSampled = false;
    trace.held = undefined;
  }

  #newTrace(caller?: Caller): Trace {
    const traceId = caller?.traceId ?? randomHex(16);
    const isSampled = this.#sampler(traceId, caller);
    const offsetMs = realNow().getTime() - elapsedMs();
    return { traceId, isSampled, offsetMs, endedMs: Number.POSITIVE_INFINITY, held: undefined };
  }

  #underWay(): OpenSpan | undefined {
    const span = this.#current.getStore();
    return span && span.trace.endedMs === Number.POSITIVE_INFINITY ? span : undefined;
  }

  async #run<Result>(
    span: OpenSpan,
    work: () => Promise<Result>,
    attributes: Attributes = {},
  ): Promise<Result> {
    try {
      const result = await this.inside(span, work);
      this.end(span, { attributes, isWork: elapsedMs() - span.startedMs >= SLOW_MS });
      return result;
    } catch (error) {
      this.end(span, { attributes: { ...attributes, 'error.type': failureType(error) }, hasFailed: true });
      throw error;
    }
  }

  #hold(trace: Trace, isWork: boolean, span: Span): void {
    if (trace.held && !isWork && trace.held.length < MAX_HELD) {
      trace.held.push(span);
      return;
    }
    for (const held of trace.held ?? []) this.#keep(held);
    trace.held = undefined;
    this.#keep(span);
  }
}

function first(trace: Trace, parentId: string | undefined, name: string, kind: Kind): OpenSpan {
  return { trace, spanId: randomHex(8), parentId, isFirst: true, name, kind, startedMs: elapsedMs() };
}

function below({ trace, spanId }: OpenSpan, name: string, kind: Kind): OpenSpan {
  const span = { trace, spanId: randomHex(8), parentId: spanId, isFirst: false };
  return { ...span, name, kind, startedMs: elapsedMs() };
}

function randomHex(bytes: number): string {
  return Buffer.from(randomSlice(bytes)).toString('hex');
}
