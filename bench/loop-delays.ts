import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './processes.ts';
import type { Workshop } from './workshop.ts';

/** Delays of a process's event loop since it was last asked to forget. */
export interface LoopDelay {
  /** The longest stretch of processor time that the loop took without a turn, and what one stretch in a hundred exceeds. */
  cpuMs: number;
  cpuP99Ms: number;
  /** The same by the clock: with it, how long others had the processors. */
  maxMs: number;
  p99Ms: number;
}

const LOOK_MS = 10;
const fileOf = (shop: Workshop, name: string) => join(shop.folder, `${name}-loop.json`);

/** Environment of a process whose delays can be read. */
export function loopEnv(shop: Workshop, name: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loop-delay.ts')}`,
    LOOP_DELAY_FILE: fileOf(shop, name),
  };
}

export async function forgetLoopDelay({ pid }: Running): Promise<void> {
  process.kill(pid, 'SIGUSR2');
  await sleep(600);
}

export async function readLoopDelay(shop: Workshop, name: string): Promise<LoopDelay> {
  for (;;) {
    const text = await readFile(fileOf(shop, name), 'utf8');
    // It may be being written.
    if (text.endsWith('}')) return JSON.parse(text);
    await sleep(LOOK_MS);
  }
}
