import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Database } from '../db/database.ts';
import { fileProblem, isFileProblem } from '../lib/file-problem.ts';
import { backup } from './backup.ts';
import type { Transform } from './encryption.ts';
import type { BackupSummary, Progress } from './format.ts';

export interface BackupFileOptions {
  now: Date;
  encrypt: Transform | undefined;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal | undefined;
}

/** Writes to a temporary name first: a file with the final name is always a complete backup, and on disk. */
export async function writeBackupFile(
  db: Database,
  file: string,
  options: BackupFileOptions,
): Promise<BackupSummary> {
  const half = partOf(file);
  try {
    // Created again: an existing file may be readable by others.
    await rm(half, { force: true });
    const summary = await fill(db, half, options);
    await rename(half, file);
    await syncFolder(dirname(file));
    return summary;
  } catch (error) {
    await rm(half, { force: true }).catch(() => {});
    throw isFileProblem(error) ? new Error(fileProblem(error, file, 'write'), { cause: error }) : error;
  }
}

export const partOf = (file: string) => `${file}.part`;

async function fill(
  db: Database,
  half: string,
  { now, encrypt, onProgress, signal }: BackupFileOptions,
): Promise<BackupSummary> {
  const output = (await open(half, 'wx', 0o600)).createWriteStream({ flush: true });
  // Until rows are written nobody else listens, and an error without a listener would end the process.
  output.on('error', () => {});
  if (signal) addAbortSignal(signal, output);
  try {
    const summary = await backup(db, output, now, onProgress, encrypt);
    if (!output.writableEnded) output.end();
    await finished(output);
    return summary;
  } catch (error) {
    output.destroy();
    throw error;
  }
}

/** The new name survives a power cut, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
