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

async function titleOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

async function secondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS;
}
