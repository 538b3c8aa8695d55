import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second, the same on every Linux that Node runs on. */
const TICKS = 100;

/**
 * Seconds of processor time that a process, and PostgreSQL on behalf of a database, have used since the last
 * look; `except` are server processes that work for somebody else.
 */
export function cpuMeter(pid: number, database: string, except: readonly number[]): () => Promise<number> {
  const before = new Map<number, number>();
  return async () => {
    let used = 0;
    for (const name of await readdir('/proc')) {
      const one = Number(name);
      if (!one || except.includes(one)) continue;
      if (one !== pid && !(await titleOf(one)).startsWith(`postgres: florin ${database} `)) continue;
      const now = await secondsOf(one);
      used += now - (before.get(one) ?? 0);
      before.set(one, now);
    }
    return used;
  };
}

/** Seconds of processor time that a process and all that it has started and not yet ended have used so far. */
export async function usedWithChildren(pid: number): Promise<number> {
  let used = 0;
  for (const name of await readdir('/proc')) {
    const one = Number(name);
    if (one && (one === pid || Number((await statOf(one))[1]) === pid)) used += await secondsOf(one);
  }
  return used;
}

async function titleOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

export async function secondsOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS;
}

/** Reads the kernel's fields about a process, from its state on. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

export async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))[1]);
}
