import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Grows the room for new objects as a start does, then waits for it to become small. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { returnMemoryWhenIdle } from ${JSON.stringify(new URL('./return-memory.ts', import.meta.url).href)};
  const roomMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
  const kept = [];
  while (roomMb() < 32) kept.push({ at: kept.length });
  const before = roomMb();
  kept.length = 0;
  returnMemoryWhenIdle();
  const timer = setInterval(() => {
    if (roomMb() > before / 4) return;
    clearInterval(timer);
    console.log(typeof gc);
  }, 50);
`;

test('a process that has nothing to do returns the memory it needed before, and shows its parts to nobody', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  expect(stdout).toBe('undefined\n');
}, 60_000);
