import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const LOOK_MS = 20;

export interface Ran {
  seconds: number;
  /** Most memory that the process has held. */
  peakMb: number;
}

/** The command as an operator runs it. */
export async function runCommand(
  env: Record<string, string>,
  args: readonly string[],
): Promise<{ ran: Ran; result: Record<string, string> }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['src/cli.ts', ...args, '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const ended = once(child, 'close');
  let peakKb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    await sleep(LOOK_MS);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await ended;
  if (child.exitCode !== 0) throw new Error(`florin ${args.slice(0, 2).join(' ')} failed`);
  return { ran: { seconds, peakMb: peakKb / 1024 }, result: JSON.parse(output) };
}
