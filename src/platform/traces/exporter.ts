import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import type { Logger } from '../lib/log.ts';
import { encodeSpans, type Origin } from './encode-spans.ts';
import { type Collector, type PostAnswer, postSpans } from './post-spans.ts';
import { failureType, type Span } from './span.ts';

export interface ExporterParts {
  collector: Collector;
  origin: Origin;
  log: Logger;
  onSent(spans: number): void;
  onDropped(spans: number): void;
  /** How long a batch that is not full waits; tests make it short. */
  everyMs?: number;
}

const EVERY_MS = 5_000;
const BATCH = 512;
/**
 * Spans waiting to be sent. More would grow without end while the collector is away: they are dropped, and counted.
 */
const MAX_WAITING = 4_096;
const TIMEOUT_MS = 10_000;
/** How often a batch is tried, over a quarter of a minute where the collector does not ask for longer. */
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** How long the end of a process waits for the collector. */
const FLUSH_MS = 3_000;
/** The answers after which the specification allows another try. */
const PASSING = [429, 502, 503, 504];

/** Sends spans to a collector, in batches and beside everything else: nobody waits for it, and nothing depends on it. */
export class SpanExporter {
  readonly #parts: ExporterParts;
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #agent: Promise<Agent> | undefined;
  #isFailing = false;
  #lastReason: string | undefined;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#parts.onDropped(1);
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= BATCH) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.#parts.everyMs ?? EVERY_MS).unref();
  }

  /** Sends what waits, tries nothing twice any more, and waits three seconds for the collector at most. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#waiting.length > 0) await this.#openAgent();
    const patience = setTimeout(() => this.#cutOff.abort(), FLUSH_MS);
    // A batch under way may have begun before the last spans came.
    for (this.#send(); this.#sending; this.#send()) await this.#sending;
    clearTimeout(patience);
    await (await this.#agent)?.destroy();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending || this.#waiting.length === 0) return;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      const isSent = await this.#sendBatch(batch);
      if (!isSent) this.#parts.onDropped(batch.length);
    }
  }

  async #sendBatch(batch: readonly Span[]): Promise<boolean> {
    const body = encodeSpans(batch, this.#parts.origin);
    for (let tries = 1; ; tries++) {
      const answer = await this.#post(body);
      if (typeof answer !== 'string' && isTaken(answer)) {
        this.#noteProblem(undefined);
        const rejected = Math.min(answer.rejected, batch.length);
        this.#parts.onSent(batch.length - rejected);
        if (rejected > 0) this.#noteRejected(rejected, answer.rejectedBecause);
        return true;
      }
      this.#noteProblem(typeof answer === 'string' ? answer : `HTTP ${answer.status}`);
      const isFinal = typeof answer !== 'string' && !PASSING.includes(answer.status);
      if (isFinal || tries >= MAX_TRIES || this.#stopping.signal.aborted) return false;
      const { signal } = this.#stopping;
      await sleep(pauseMs(answer, tries), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** The answer, or why there is none. */
  async #post(body: string): Promise<PostAnswer | string> {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#cutOff.signal]);
    try {
      return await postSpans(this.#parts.collector, body, await this.#openAgent(), signal);
    } catch (error) {
      return failureType(error);
    }
  }

  #openAgent(): Promise<Agent> {
    this.#agent ??= openAgent();
    return this.#agent;
  }

  /** Its reason is said once, until it has another. */
  #noteRejected(spans: number, reason: string): void {
    this.#parts.onDropped(spans);
    if (reason === this.#lastReason) return;
    this.#lastReason = reason;
    this.#parts.log.warn({ reason }, 'the collector rejects some spans');
  }

  /** Said once when it begins and once when it is over. */
  #noteProblem(problem: string | undefined): void {
    const isFailing = problem !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing) this.#parts.log.warn({ problem }, 'traces cannot be exported');
    else this.#parts.log.warn('traces are exported again');
  }
}

const isTaken = ({ status }: PostAnswer) => status >= 200 && status < 300;

/** Longer each time, or as long as the collector asked. */
function pauseMs(answer: PostAnswer | string, tries: number): number {
  const asked = typeof answer === 'string' ? undefined : answer.retryAfter;
  const wantedMs = /^\d+$/.test(asked ?? '') ? Number(asked) * 1_000 : FIRST_PAUSE_MS * 2 ** (tries - 1);
  return Math.min(wantedMs, MAX_PAUSE_MS);
}

/** One connection of our own, loaded with the first span. */
async function openAgent(): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ allowH2: false, connections: 1 });
}
