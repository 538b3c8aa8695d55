import { setTimeout as sleep } from 'node:timers/promises';
import { stringifyJson } from '../../platform/lib/json.ts';
import { ApiFailure, type Client, Unreachable } from './client.ts';
import { type Io, warn } from './io.ts';

/** An event as it was pulled, and its bytes as every webhook of it carries them. */
export interface PulledEvent {
  id: string;
  event: string;
  createdAt: string;
  status: string;
  body: string;
}

export interface Following {
  client: Client;
  /** Start: a cursor, `latest`, or `earliest` for the very first event. */
  after: string;
  /** Only this event. */
  event?: string | undefined;
  signal: AbortSignal;
  onEvent(event: PulledEvent): Promise<void>;
  onLost(reason: string): void;
  onBack(): void;
}

const POLL_MS = 500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/**
 * Hands over every event after a place, each once and in order, until the signal. The place moves on only behind what was
 * handed over, so a server that goes away and comes back costs nothing but time. A server that says no ends it.
 */
export async function followEvents(following: Following): Promise<void> {
  const { client, signal, event: name, onEvent } = following;
  let { after } = following;
  while (!signal.aborted) {
    const page = await untilAnswered(following, () => pullPage(client, { after, event: name, signal }));
    if (!page) return;
    for (const event of page.data) {
      if (signal.aborted) return;
      await onEvent(readEvent(event));
    }
    after = page.nextCursor ?? after;
    if (!page.hasMore) await pause(POLL_MS, signal);
  }
}

interface EventPage {
  data: Record<string, unknown>[];
  hasMore: boolean;
  nextCursor: string | null;
}

export async function pullPage(
  client: Client,
  { after, event, signal }: { after: string; event?: string | undefined; signal?: AbortSignal },
): Promise<EventPage> {
  const answer = await client.ask({
    method: 'GET',
    path: '/api/v2/events',
    query: [['limit', '100'], ['after', after], ...(event === undefined ? [] : [['event', event] as const])],
    ...(signal && { signal }),
  });
  return answer.body;
}

/** Retries until there is an answer, waiting longer each time; undefined if it was stopped. */
export async function untilAnswered<Page>(
  { signal, onLost, onBack }: Pick<Following, 'signal' | 'onLost' | 'onBack'>,
  ask: () => Promise<Page>,
): Promise<Page | undefined> {
  for (
    let waitMs = FIRST_WAIT_MS, isLost = false;
    !signal.aborted;
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  ) {
    try {
      const page = await ask();
      if (isLost) onBack();
      return page;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!mayPass(error)) throw error;
      if (!isLost) onLost((error as Error).message);
      isLost = true;
      await pause(waitMs, signal);
    }
  }
  return undefined;
}

function mayPass(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof ApiFailure && (error.status >= 500 || error.status === 429);
}

function readEvent(event: Record<string, unknown>): PulledEvent {
  const { id, event: name, createdAt, status } = event as Record<string, string>;
  return { id: id!, event: name!, createdAt: createdAt!, status: status!, body: stringifyJson(event) };
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Ends with Ctrl-C, or when its caller aborts it. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Prints warnings while the server is unreachable. */
export function reportLoss(io: Io, { url }: Client): Pick<Following, 'onLost' | 'onBack'> {
  return {
    onLost: (reason) => warn(io, `lost connection to ${url} (${reason}); retrying`),
    onBack: () => warn(io, `reconnected to ${url}; continuing where it stopped`),
  };
}
