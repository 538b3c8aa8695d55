import { afterAll } from 'vitest';

const waiting: (() => Promise<unknown>)[] = [];

/**
 * Runs `clean` when the test file is done, the latest first. Registered here once, while the file is read:
 * an afterAll that is asked for inside a running test would never be called.
 */
export function cleanUp(clean: () => Promise<unknown>): void {
  waiting.push(clean);
}

afterAll(async () => {
  while (waiting.length > 0) await waiting.pop()!();
});
