import type { Database } from '../db/database.ts';
import { writeWholeFile } from '../lib/write-whole-file.ts';
import { backup } from './backup.ts';
import type { Transform } from './encryption.ts';
import type { BackupSummary, Progress } from './format.ts';

export interface BackupFileOptions {
  now: Date;
  encrypt: Transform | undefined;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal | undefined;
}

/** A file with this name is always a complete backup, and on disk. */
export function writeBackupFile(
  db: Database,
  file: string,
  { now, encrypt, onProgress, signal }: BackupFileOptions,
): Promise<BackupSummary> {
  return writeWholeFile(file, (output) => backup(db, output, now, onProgress, encrypt), signal);
}
