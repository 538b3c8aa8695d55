import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHolder, processStart } from '../../platform/db/data-folder-lock.ts';
import { HOUR_MS, machineMs } from '../../platform/lib/clock.ts';

const START = 'florin-proof-';

/** Names its process: what a process leaves that was killed can be told from what is in use. */
export async function makeProofFolder(): Promise<string> {
  const startedAt = (await processStart(process.pid)) ?? '';
  return mkdtemp(join(tmpdir(), `${START}${process.pid}-${startedAt}-`));
}

export async function deleteProofFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Decrypted copies of a database, left by processes that were killed while they proved a backup. */
export async function listLeftProofs(): Promise<string[]> {
  const names = await readdir(tmpdir()).catch(() => []);
  const left: string[] = [];
  for (const name of names.filter((one) => one.startsWith(START)))
    if (await isLeft(name)) left.push(join(tmpdir(), name));
  return left;
}

async function isLeft(name: string): Promise<boolean> {
  const [, pid, startedAt] = /^florin-proof-(\d+)-(\d*)-/.exec(name) ?? [];
  if (pid !== undefined) return (await processStart(Number(pid))) !== startedAt;
  // Named by an earlier release.
  const folder = join(tmpdir(), name);
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: machineMs() }));
  return machineMs() - mtimeMs > HOUR_MS && (await findHolder(folder)) === undefined;
}

/** Answers which were deleted; what belongs to another user stays, and doctor names it. */
export async function deleteLeftProofs(): Promise<string[]> {
  const deleted: string[] = [];
  for (const folder of await listLeftProofs())
    await deleteProofFolder(folder).then(
      () => deleted.push(folder),
      () => {},
    );
  return deleted;
}
