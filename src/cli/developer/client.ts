import { type Json, parseJson } from '../../platform/lib/json.ts';

export interface Question {
  method: string;
  path: string;
  query?: readonly (readonly [name: string, value: string])[];
  /** JSON text, as it shall be sent, or a file. */
  body?: string | Buffer<ArrayBuffer> | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  bytes: Buffer;
  /** The answer as it came, to be shown digit for digit. */
  text: string;
  /** The same, read without losing a digit; undefined where there is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is the server's to say.
  body: any;
}

export interface Client {
  url: string;
  ask(question: Question): Promise<Answer>;
}

/** The server answered with an error. */
export class ApiFailure extends Error {
  readonly url: string;
  readonly status: number;
  readonly code: string;
  readonly traceId: string | undefined;
  readonly text: string;
  readonly retryAfter: string | undefined;

  constructor(url: string, response: Response, text: string) {
    const error = (asJson(text) as { error?: { code: string; message: string; traceId: string } } | undefined)
      ?.error;
    super(error?.message ?? withoutEnvelope(response));
    this.url = url;
    this.status = response.status;
    this.code = error?.code ?? `HTTP_${response.status}`;
    this.traceId = error?.traceId;
    this.text = text;
    this.retryAfter = response.headers.get('retry-after') ?? undefined;
  }
}

function withoutEnvelope(response: Response): string {
  const location = response.headers.get('location');
  if (location) return `The server redirects to ${location}.`;
  return 'This response is not from Florin: there is a proxy in between, or the URL belongs to another server.';
}

/** There was no answer at all. */
export class Unreachable extends Error {
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(reasonOf(cause));
    this.url = url;
  }
}

export function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string; errors?: { code?: string }[] } })
    .cause;
  const code = cause?.code ?? cause?.errors?.[0]?.code;
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host name not found';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'connection lost';
  return cause?.message || code || (error as Error).message;
}

const TIMEOUT_MS = 60_000;

/** Asks one server with one key. Nothing is retried automatically: only the caller knows whether that is safe. */
export function createClient({ url, apiKey }: { url: string; apiKey: string | undefined }): Client {
  return {
    url,
    async ask({ method, path, query = [], body, headers, signal }) {
      const search =
        query.length > 0
          ? `?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`
          : '';
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      let response: Response;
      let bytes: Buffer;
      try {
        response = await fetch(`${url}${path}${search}`, {
          method,
          redirect: 'manual',
          headers: {
            accept: 'application/json',
            ...(apiKey && { authorization: `Bearer ${apiKey}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body }),
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        bytes = Buffer.from(await response.arrayBuffer());
      } catch (error) {
        if (signal?.aborted) throw error;
        throw new Unreachable(url, error);
      }
      const text = bytes.toString('utf8');
      if (!response.ok) throw new ApiFailure(url, response, text);
      return { status: response.status, bytes, text, body: asJson(text) };
    },
  };
}

function asJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
