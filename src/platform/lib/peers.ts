/** A subject and what is said about it. */
export type Said = readonly [subject: string, message: unknown];

/** Functions that are called for what the others say and do. */
interface Hearer {
  hear(message: never, from: string): void;
  joined?(): void;
  left?(process: string): void;
}

/** Messages of this time go out together. */
const GATHER_MS = 10;

const hearers = new Map<string, Hearer[]>();
let outbox: Said[] = [];
let timer: NodeJS.Timeout | undefined;
let send: ((said: readonly Said[]) => void) | undefined;

/**
 * Begins to tell the other processes of a service what they have to know: call it before anything that shares is loaded. Without it
 * a process is alone, and sharing costs nothing.
 */
export function openPeers(sendAll: (said: readonly Said[]) => void): void {
  send = sendAll;
}

/**
 * Shares a subject with the other processes: the returned function tells them a message, `hear` gets theirs. A message arrives some
 * milliseconds later, and never at a process that starts after it: `joined` is called for that one.
 */
export function shareWithPeers<Message>(
  subject: string,
  hear: (message: Message, from: string) => void,
  { joined, left }: Pick<Hearer, 'joined' | 'left'> = {},
): (message: Message) => void {
  if (!send) return () => {};
  const hearer: Hearer = { hear, ...(joined && { joined }), ...(left && { left }) };
  hearers.set(subject, [...(hearers.get(subject) ?? []), hearer]);
  return (message) => {
    outbox.push([subject, message]);
    timer ??= setTimeout(flushToPeers, GATHER_MS).unref();
  };
}

/** Sends what waits now. */
export function flushToPeers(): void {
  clearTimeout(timer);
  timer = undefined;
  if (outbox.length === 0) return;
  const said = outbox;
  outbox = [];
  send?.(said);
}

/** Hands on what another process has said. */
export function hearPeer(from: string, said: readonly Said[]): void {
  for (const [subject, message] of said)
    for (const { hear } of hearers.get(subject) ?? []) hear(message as never, from);
}

export function notePeerJoined(): void {
  for (const { joined } of [...hearers.values()].flat()) joined?.();
}

export function notePeerLeft(process: string): void {
  for (const { left } of [...hearers.values()].flat()) left?.(process);
}
