import { FlorinError } from './errors.ts';
import { traceIdOf } from './last-response.ts';

/** One try of a request, as it is sent. Neither key nor body nor query: what is logged must not leak. */
export interface RequestEvent {
  method: string;
  /** Without the query. */
  path: string;
  /** 1 for the first try, 2 for its first repetition. */
  attempt: number;
}

/** The same try when it is over. */
export interface ResponseEvent extends RequestEvent {
  durationMs: number;
  /** Undefined when no answer came. */
  status: number | undefined;
  traceId: string | undefined;
  /** Error of a failed try; undefined when it succeeded. It may be tried again. */
  error: unknown;
}

/** For logs, metrics and traces: of a client, or of one request. What a hook throws is printed and changes nothing. */
export interface Hooks {
  /** Before each try. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** After each try, with or without an answer. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
}

/** Tells the hooks that a try begins; `ended` tells them how it ended. */
export function watchTry(all: readonly Hooks[], event: RequestEvent) {
  const startedMs = performance.now();
  for (const { onRequest } of all) callHook(onRequest, event);
  return {
    ended(answer: Response | undefined, error: unknown): void {
      const failed = error instanceof FlorinError ? error : undefined;
      const ended: ResponseEvent = {
        ...event,
        durationMs: performance.now() - startedMs,
        status: answer?.status,
        traceId: failed?.traceId ?? (answer && traceIdOf(answer.headers)),
        error,
      };
      for (const { onResponse } of all) callHook(onResponse, ended);
    },
  };
}

/** A payment must not fail, nor seem to have failed, because a log could not be written. */
function callHook<Event extends object>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  const report = (error: unknown) => console.error('A hook of the Florin client failed:', error);
  try {
    Promise.resolve(hook?.({ ...event })).catch(report);
  } catch (error) {
    report(error);
  }
}
