import { elapsedMs, HOUR_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';

/** Warns of what a node answers wrongly: once, and again when an hour has passed without it. */
export function invalidAnswerWarnings(
  names: readonly string[],
  log: Logger,
  nowMs: () => number = elapsedMs,
) {
  const lastMs = new Map<string, number>();
  return (node: number, method: string, problem: string): void => {
    const key = `${node} ${method} ${problem}`;
    const beforeMs = lastMs.get(key);
    const atMs = nowMs();
    lastMs.set(key, atMs);
    if (beforeMs === undefined || atMs - beforeMs >= HOUR_MS)
      log.warn({ node: names[node], method, problem }, 'a Solana node gave an invalid answer');
  };
}
