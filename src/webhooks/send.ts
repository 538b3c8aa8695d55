import type { Agent, Dispatcher } from 'undici';
import { BoundedMap } from '../platform/lib/bounded-map.ts';
import { elapsedMs } from '../platform/lib/clock.ts';
import { redact } from '../platform/lib/log.ts';
import { type ConnectRules, guardedConnector } from './connect.ts';
import { TIMEOUT_MS } from './delivery.ts';
import { explain } from './explain.ts';

export interface Post {
  url: string;
  /** Name, value, name, value, … */
  headers: string[];
  body: Buffer;
}

export interface PostResult {
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  responseBody: string | null;
  retryAfter: string | undefined;
}

export interface Sender {
  /** Posts once and never throws: whatever happens is a result. */
  post(post: Post): Promise<PostResult>;
  close(): Promise<void>;
}

/** Longer than the gaps in a burst, and short enough that the other side has probably not closed it yet. */
const KEEP_ALIVE_MS = 2_000;

export function createSender(rules: ConnectRules, timeoutMs = TIMEOUT_MS): Sender {
  let opening: Promise<Agent> | undefined;
  return {
    async post({ url, headers, body }) {
      opening ??= openAgent(rules);
      const agent = await opening;
      return new Promise((resolve) => {
        const exchange = new Exchange(timeoutMs, resolve);
        try {
          agent.dispatch({ ...targetOf(url), method: 'POST', headers, body }, exchange);
        } catch (error) {
          exchange.onResponseError(undefined, error as Error);
        }
      });
    },
    close: async () => (await opening)?.destroy(),
  };
}

/** Loaded with the first webhook there is to send. */
async function openAgent(rules: ConnectRules): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connect: guardedConnector(rules),
    allowH2: false,
    pipelining: 1,
    // One timer of ours covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16_384,
  });
}

const REMEMBERED = 1_000;
const targets = new BoundedMap<string, { origin: string; path: string }>(REMEMBERED);

/** A URL taken apart; the same few come again and again. */
function targetOf(url: string): { origin: string; path: string } {
  return targets.getOrMake(url, () => {
    const { origin, pathname, search } = new URL(url);
    return { origin, path: pathname + search };
  });
}

const READ_BYTES = 64 * 1024;
const KEPT_BYTES = 2 * 1024;

/** One request and its answer. A status, once it has come, decides; what becomes of the body does not. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedMs = elapsedMs();
  readonly #timeoutMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #resolve: (result: PostResult) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #status: number | null = null;
  #retryAfter: string | undefined;
  #kept: Buffer[] = [];
  #readBytes = 0;

  constructor(timeoutMs: number, resolve: (result: PostResult) => void) {
    this.#timeoutMs = timeoutMs;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#giveUp(`timed out after ${timeoutMs / 1000} s`), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while it was still connecting: it must not be sent.
    if (this.#isOver) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    if (status >= 300) this.#retryAfter = [headers['retry-after']].flat()[0];
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readBytes < KEPT_BYTES) this.#kept.push(chunk.subarray(0, KEPT_BYTES - this.#readBytes));
    this.#readBytes += chunk.length;
    if (this.#readBytes > READ_BYTES) this.#giveUp(null);
  }

  onResponseEnd(): void {
    this.#finish(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish(explain(error));
  }

  #giveUp(error: string | null): void {
    this.#finish(error);
    this.#controller?.abort(new Error(`given up after ${this.#timeoutMs} ms`));
  }

  #finish(problem: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const status = this.#status;
    this.#resolve({
      durationMs: Math.round(elapsedMs() - this.#startedMs),
      httpStatus: status,
      error: status === null ? (problem ?? 'there was no answer') : statusProblem(status),
      responseBody: status === null ? null : asText(this.#kept, this.#readBytes > KEPT_BYTES),
      retryAfter: this.#retryAfter,
    });
  }
}

function statusProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`;
  return `HTTP ${status}`;
}

/** Text that the database can hold and a person may see. */
function asText(chunks: readonly Buffer[], isCut: boolean): string {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const text = bytes.toString('utf8').replaceAll('\0', '\ufffd');
  return redact(isCut ? text.replace(/\ufffd$/, '') : text);
}
