/** Honest nodes may report a block's time slightly differently; a larger difference is another claim. */
const SAME_TIME_MS = 60_000;

export function isSameTime(a: Date, b: Date): boolean {
  return Math.abs(a.getTime() - b.getTime()) <= SAME_TIME_MS;
}
