import type { Writable } from 'node:stream';
import type { Database } from '../../platform/db/database.ts';
import { writeWholeFile } from '../../platform/lib/write-whole-file.ts';
import type { Transform } from '../table-file/encryption.ts';
import type { Progress } from '../table-file/format.ts';
import { backup } from './backup.ts';
import { copiedTo } from './copied-to.ts';
import type { BackupSummary } from './format.ts';

export interface BackupFileOptions {
  now: Date;
  encrypt: Transform | undefined;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal | undefined;
  /** True if a file that has the name already gives way. */
  isReplacing?: boolean | undefined;
  /** Gets what is in the file too, before it is encrypted. */
  copyTo?: Writable | undefined;
}

/** A file with this name is always a complete backup, and on disk. */
export function writeBackupFile(
  db: Database,
  file: string,
  { now, encrypt, onProgress, signal, isReplacing, copyTo }: BackupFileOptions,
): Promise<BackupSummary> {
  return writeWholeFile(
    file,
    (output) => backup(db, output, now, onProgress, copyTo ? copied(copyTo, encrypt) : encrypt),
    { signal, isReplacing },
  );
}

function copied(copyTo: Writable, encrypt: Transform | undefined): Transform {
  const copy = copiedTo(copyTo);
  return encrypt ? (source) => encrypt(copy(source)) : copy;
}
