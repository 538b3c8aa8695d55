import { errorOf, FlorinConnectionError, FlorinError, FlorinTimeoutError } from './errors.ts';
import { type Hooks, watchTry } from './hooks.ts';
import { parseJson, stringifyJson } from './json.ts';
import { withLastResponse } from './last-response.ts';
import { randomUuid } from './random-uuid.ts';

export interface FlorinOptions extends Hooks {
  /** URL of the service, such as https://pay.example; '' in a browser means the origin of the page. */
  baseUrl: string;
  /** Left out by a client that is known by a cookie, or that only uses what is public. */
  apiKey?: string | undefined;
  /** How long one try may take, until the answer is read. Default: 30,000. */
  timeoutMs?: number;
  /** How often to try again. Default: 2. */
  maxRetries?: number;
  /** Headers for every request, called for each: a CSRF token, a trace. */
  headers?: (request: { method: string; path: string }) => HeaderValues | Promise<HeaderValues>;
  /** Controls if a browser sends cookies along. Default: the platform's. */
  credentials?: 'omit' | 'same-origin' | 'include';
  /** Instead of the platform's own. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface RequestOptions extends Hooks {
  /** Another key than the client's. */
  apiKey?: string | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Ends the request, and the waiting between tries, with the signal's own reason. */
  signal?: AbortSignal | undefined;
  headers?: HeaderValues | undefined;
}

/** For what is done once for each key. */
export interface KeyedOptions extends RequestOptions {
  /** Yours instead of a generated one; a UUID works everywhere. The same key and body get the same answer. */
  idempotencyKey?: string | undefined;
}

export type HeaderValues = Record<string, string>;

/** A file: a `File` of a form, a `Blob`, or the bytes, such as Node's `readFileSync` gives. */
export type Upload = Blob | Uint8Array<ArrayBuffer>;

/** A request as a method describes it. */
export interface Call {
  method: string;
  path: string;
  query?: object;
  body?: object;
  /** Sent as it is, instead of a body. */
  file?: Upload;
  key?: 'header' | 'body';
  /** Sent twice it does no more than once. */
  isRepeatable?: boolean;
  /** No API key goes along. */
  isKeyless?: boolean;
  answer?: 'csv' | 'bytes' | 'text';
}

export type Send = <Answer>(call: Call, options: KeyedOptions) => Promise<Answer>;

/** The one way every request goes: written once, tried until it is answered or given up, read by its kind. */
export function createSend(client: FlorinOptions): Send {
  checkOptions(client);
  return async <Answer>(call: Call, options: KeyedOptions): Promise<Answer> => {
    const request = writeRequest(client, call, options);
    const { signal, maxRetries = client.maxRetries ?? 2 } = options;
    for (let attempt = 0; ; attempt++) {
      try {
        return (await tryOnce(client, call, request, options, attempt + 1)) as Answer;
      } catch (error) {
        const delayMs = attempt < maxRetries ? retryDelayMs(error, call, attempt) : undefined;
        if (delayMs === undefined) throw error;
        await wait(delayMs, signal);
      }
    }
  };
}

function checkOptions(client: FlorinOptions): void {
  const { baseUrl } = client;
  const isRelative = baseUrl === '' && ('location' in globalThis || client.fetch !== undefined);
  if (typeof baseUrl !== 'string' || !(isRelative || /^https?:\/\/[^/]/.test(baseUrl))) {
    throw new TypeError('baseUrl must be where the service is, such as "https://pay.example".');
  }
  if ('apiKey' in client && !client.apiKey) {
    throw new TypeError('apiKey is empty: is the variable set? Leave it out for a client without a key.');
  }
}

interface Written {
  url: string;
  headers: HeaderValues;
  body: string | Upload | undefined;
}

/** Made once, so that every try carries the same key and the same bytes. */
function writeRequest(client: FlorinOptions, call: Call, options: KeyedOptions): Written {
  const headers: HeaderValues = { accept: call.answer === 'csv' ? 'text/csv' : 'application/json' };
  if (call.answer === 'bytes' || call.answer === 'text') headers.accept = '*/*';
  const apiKey = options.apiKey ?? client.apiKey;
  if (apiKey !== undefined && !call.isKeyless) headers.authorization = `Bearer ${apiKey}`;
  if (call.key === 'header') headers['idempotency-key'] = options.idempotencyKey ?? randomUuid();
  const body = call.key === 'body' ? withKey(call.body ?? {}) : call.body;
  if (body) headers['content-type'] = 'application/json';
  if (call.file) headers['content-type'] = typeOf(call.file);
  return {
    url: client.baseUrl.replace(/\/+$/, '') + call.path + queryText(call.query ?? {}),
    headers,
    body: call.file ?? (body && stringifyJson(body)),
  };
}

/** The service looks at the content, so bytes need no type of their own. */
const typeOf = (file: Upload) => (file instanceof Blob && file.type) || 'application/octet-stream';

const withKey = (body: { idempotencyKey?: string | null }) => {
  return { ...body, idempotencyKey: body.idempotencyKey ?? randomUuid() };
};

function queryText(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) {
      if (item == null) continue;
      search.append(name, item instanceof Date ? item.toISOString() : String(item));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** One try, with its own time. The answer's body counts too, except where the caller streams it. */
async function tryOnce(
  client: FlorinOptions,
  call: Call,
  request: Written,
  options: RequestOptions,
  attempt: number,
) {
  const { method, path } = call;
  const { timeoutMs = client.timeoutMs ?? 30_000, signal } = options;
  const extra = await client.headers?.({ method, path });
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, MAX_TIMER_MS));
  const watched = watchTry([client, options], { method, path, attempt });
  let answer: Response | undefined;
  try {
    const ask = client.fetch ?? fetch;
    answer = await ask(request.url, {
      method,
      headers: headersOf(request.headers, extra, options.headers),
      // A redirect would turn a POST into a GET.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      ...(request.body !== undefined && { body: request.body }),
      // Some platforms refuse the mere presence of this field.
      ...(client.credentials && { credentials: client.credentials }),
    });
    const value = await readAnswer(answer, call);
    watched.ended(answer, undefined);
    return value;
  } catch (error) {
    const failure = signal?.aborted
      ? error
      : failureOf(error, timeout.signal.aborted ? timeoutMs : undefined);
    watched.ended(answer, failure);
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}

/** Turns what a failed try threw into an error of ours: unchanged, as a timeout, or as a broken connection. */
function failureOf(error: unknown, timedOutAfterMs: number | undefined): FlorinError {
  if (error instanceof FlorinError) return error;
  const details = { cause: error };
  if (timedOutAfterMs !== undefined)
    return new FlorinTimeoutError(`No answer within ${timedOutAfterMs} ms.`, details);
  return new FlorinConnectionError('CONNECTION_FAILED', `The connection failed: ${reasonOf(error)}`, details);
}

/** A later one replaces an earlier one, however its name is written. */
function headersOf(...all: (HeaderValues | undefined)[]): Headers {
  const headers = new Headers();
  for (const some of all) for (const [name, value] of Object.entries(some ?? {})) headers.set(name, value);
  return headers;
}

/** A longer timer would go off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Node says "fetch failed" and keeps the reason one level down. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.message || cause?.code || message || String(error);
}

async function readAnswer(answer: Response, call: Call): Promise<unknown> {
  if (!answer.ok) throw errorOf(answer, jsonOrUndefined(await answer.text()));
  if (call.answer === 'csv') return answer;
  if (call.answer === 'bytes') return withLastResponse(new Uint8Array(await answer.arrayBuffer()), answer);
  const text = await answer.text();
  if (call.answer === 'text') return text;
  if (answer.status === 204) return undefined;
  const value = jsonOrUndefined(text);
  if (value !== undefined) return withLastResponse(value, answer);
  const message = `The answer is not JSON: is the base URL right? It begins with ${JSON.stringify(text.slice(0, 40))}.`;
  throw new FlorinError('INVALID_ANSWER', message, { status: answer.status });
}

function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Longer than this nobody waits inside a call: the error says how long it would be. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** How long to wait before the next try; undefined when there is to be none. */
function retryDelayMs(error: unknown, call: Call, attempt: number): number | undefined {
  if (!(error instanceof FlorinError) || !isWorthRepeating(error, call)) return undefined;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return backoffMs(attempt, Math.random());
  return retryAfterSeconds <= MAX_RETRY_AFTER_SECONDS ? retryAfterSeconds * 1000 : undefined;
}

/** 429 and 503 were refused before anything was done; after the others it may have been, so only repeatable calls are repeated. */
function isWorthRepeating(error: FlorinError, call: Call): boolean {
  if (error.status === 429 || error.status === 503) return true;
  if (!call.isRepeatable) return false;
  if (error instanceof FlorinConnectionError || error.code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  return error.status === 500 || error.status === 502 || error.status === 504;
}

/** Half a second, doubled with each try up to eight, less a random part of up to a half: clients that failed together come back apart. */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(500 * 2 ** attempt, 8_000) * (1 - random / 2);
}

async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done);
  });
  signal?.throwIfAborted();
}

/** An id as a part of a path: an empty one would ask for the whole list, and dots for another path. */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id.`);
  return encodeURIComponent(value);
}
