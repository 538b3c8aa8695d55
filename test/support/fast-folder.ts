import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'florin-tests-';
const GIB = 2 ** 30;
/** Three times what a run has been seen to hold at once: databases, whole installations, profiles of browsers. */
const NEEDED_BYTES = 3 * GIB;
/** Free space that the tests themselves need besides. */
const SPARE_BYTES = 3 * GIB;

/**
 * A folder in memory for all temporary files of a run, where there is plenty of it and programs can run there. Of a
 * database's thousand small files a disk makes a quarter of a second of work, memory a fiftieth.
 */
export async function fastFolder(): Promise<string | undefined> {
  await removeLeftOver();
  if (process.availableMemory() < NEEDED_BYTES + SPARE_BYTES) return undefined;
  const place = await statfs(MEMORY).catch(() => undefined);
  if (!place || place.bavail * place.bsize < NEEDED_BYTES) return undefined;
  const folder = join(MEMORY, PREFIX + process.pid);
  try {
    await mkdir(folder);
    // The user a server runs as must be able to reach its own folder.
    await chmod(folder, 0o755);
    const program = join(folder, 'program');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** Removes folders of runs that were killed: nothing else frees the memory. */
async function removeLeftOver(): Promise<void> {
  for (const name of await readdir(MEMORY).catch(() => [])) {
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      await rm(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
