import { useSyncExternalStore } from 'react';

/** The browser's until somebody is signed in, and the merchant's from then on: every screen asks here. */
let zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const watchers = new Set<() => void>();

export const timeZone = () => zone;

export function showTimesIn(next: string): void {
  if (next === zone) return;
  zone = next;
  for (const watcher of watchers) watcher();
}

export const useTimeZone = () => useSyncExternalStore(subscribe, timeZone);

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** `2026-03-29` → the first moment of that day where the merchant is; undefined when it is no day. */
export function startOfDay(text: string | undefined, plusDays = 0, of = zone): Date | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '');
  if (!match) return undefined;
  const utcMs = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + plusDays);
  // The clocks may change between midnight in UTC and midnight there.
  const nearMs = utcMs - offsetMs(utcMs, of);
  const ms = utcMs - offsetMs(nearMs, of);
  // If the clocks skip midnight, one of the two is on the day before.
  const first = [nearMs, ms].sort((a, b) => a - b).find((at) => at + offsetMs(at, of) >= utcMs);
  return new Date(first ?? ms);
}

/** Returns by how much its clocks are ahead of UTC at that moment. */
function offsetMs(atMs: number, of: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: of,
    timeZoneName: 'longOffset',
  }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value;
  const match = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (!match) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === '-' ? -seconds : seconds) * 1000;
}
