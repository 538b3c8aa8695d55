import { UsageError } from './io.ts';

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** `30d`, `2h`, `1d12h`: seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+[smhdw])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * SECONDS[unit!]!,
    0,
  );
}

/** A moment, or how long ago it was. */
export function parseSince(text: string, now: Date): Date {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return new Date(now.getTime() - seconds * 1000);
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw new UsageError(
      `--since must be a time such as 2026-01-31T12:00:00Z, or 10m, 2h, 1d: not "${text}"`,
    );
  return at;
}
