const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Returns the number of rows that a key moves down; undefined for any other key. */
export function listStepOf(key: string): number | undefined {
  return STEPS[key];
}
