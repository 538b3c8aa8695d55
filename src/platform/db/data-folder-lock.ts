import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { realNow } from '../lib/clock.ts';

/** `service` runs until it is stopped; `command` is short and worth waiting for. */
export type Purpose = 'service' | 'command';

export interface Holder {
  pid: number;
  /** The process's start in clock ticks: a reused pid is not mistaken for the holder. */
  startedAt: string;
  purpose: Purpose;
}

export class DataFolderInUse extends Error {
  readonly holder: Holder;

  constructor(folder: string, holder: Holder) {
    super(`Florin already runs on the data folder ${folder} (process ${holder.pid}).`);
    this.holder = holder;
  }
}

const COMMAND_WAIT_MS = 60_000;

/**
 * Makes this process the only one that starts PostgreSQL on the folder. A dead holder holds nothing. Throws
 * DataFolderInUse if a service has it.
 */
export async function lockDataFolder(folder: string, purpose: Purpose): Promise<() => Promise<void>> {
  const path = join(folder, 'florin.lock');
  const mine: Holder = { pid: process.pid, startedAt: (await processStart(process.pid)) ?? '', purpose };
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(mine), { mode: 0o600 }).catch((error: Error) => {
      throw new Error(`the data folder ${folder} cannot be written to: ${error.message}`);
    });
    for (let waitedMs = 0; !(await tryLink(draft, path)); waitedMs += 50) {
      const holder = await liveHolder(path);
      if (!holder) await removeStale(path);
      else if (holder.purpose === 'service' || waitedMs > COMMAND_WAIT_MS)
        throw new DataFolderInUse(folder, holder);
      else await sleep(50);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(path, { force: true });
}

/** The live process that holds the folder, if any. */
export function findHolder(folder: string): Promise<Holder | undefined> {
  return liveHolder(join(folder, 'florin.lock'));
}

/** A hard link is made by exactly one of many rivals. */
async function tryLink(draft: string, path: string): Promise<boolean> {
  return link(draft, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

async function liveHolder(path: string): Promise<Holder | undefined> {
  const holder = await readHolder(path);
  return holder && (await processStart(holder.pid)) === holder.startedAt ? holder : undefined;
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * Checked again and removed by one process at a time: otherwise a slow one could remove the fresh lock of the process
 * that replaced the stale one.
 */
async function removeStale(path: string): Promise<void> {
  const turn = `${path}.turn`;
  const isMine = await mkdir(turn).then(
    () => true,
    () => false,
  );
  if (!isMine) {
    // A process that died during its turn loses it after a while.
    const age = await stat(turn).then(
      ({ mtimeMs }) => realNow().getTime() - mtimeMs,
      () => 0,
    );
    if (age > TURN_MS) await rmdir(turn).catch(() => {});
    await sleep(5);
    return;
  }
  try {
    if (!(await liveHolder(path))) await rm(path, { force: true });
  } finally {
    await rmdir(turn);
  }
}

const TURN_MS = 10_000;

/** Undefined if there is no such process, or only its zombie. */
export async function processStart(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may hold anything; the fields after it are plain. State is 3rd, start time 22nd.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}
