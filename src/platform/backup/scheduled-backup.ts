import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCKS, tryAlone } from '../db/advisory-locks.ts';
import type { Database } from '../db/database.ts';
import { noteBackup, readSeries } from '../db/installation.ts';
import { fileProblem, isFileProblem } from '../lib/file-problem.ts';
import { partOf } from '../lib/write-whole-file.ts';
import type { Transform } from './encryption.ts';
import { writeBackupFile } from './write-backup-file.ts';

export interface BackupSchedule {
  /** Never created here: where its disk is not mounted, backups would land on the disk they are to survive. */
  folder: string;
  everyMs: number;
  keep: number;
  /** None: not encrypted. */
  recipients: readonly string[];
}

export interface MadeBackup {
  file: string;
  bytes: number;
  deleted: string[];
}

/**
 * Makes a backup if the newest one in the folder is old enough, then deletes the oldest beyond those to keep. One process
 * at a time does. Only files that this database wrote are counted and deleted, and none before a new one is complete.
 */
export async function backUpIfDue(
  db: Database,
  schedule: BackupSchedule,
  now: Date,
  signal?: AbortSignal | undefined,
): Promise<MadeBackup | undefined> {
  const series = new Series(schedule.folder, await readSeries(db));
  if (!(await isDue(series, schedule, now))) return undefined;
  let made: MadeBackup | undefined;
  await tryAlone(db, LOCKS.scheduledBackup, async () => {
    // Another process may have made one meanwhile, where both use one folder.
    if (await isDue(series, schedule, now)) made = await makeOne(db, series, schedule, now, signal);
  });
  return made;
}

/** A name from the future, left by a clock that was wrong, does not put the next one off. */
async function isDue(series: Series, { everyMs }: BackupSchedule, now: Date): Promise<boolean> {
  const fresh = series.nameAt(new Date(now.getTime() - everyMs));
  const current = series.nameAt(now);
  return !(await series.list()).some((name) => name > fresh && name <= current);
}

async function makeOne(
  db: Database,
  series: Series,
  { folder, keep, recipients }: BackupSchedule,
  now: Date,
  signal?: AbortSignal | undefined,
): Promise<MadeBackup> {
  await series.deleteParts();
  const name = series.nameAt(now);
  const file = join(folder, name);
  const encrypt = await encryptionFor(recipients);
  await writeBackupFile(db, file, { now, encrypt, signal });
  await noteBackup(db, now);
  const { size: bytes } = await stat(file);
  return { file, bytes, deleted: await series.deleteOldest(name, keep) };
}

/** Its library is large, and loaded only where backups are encrypted. */
export async function encryptionFor(recipients: readonly string[]): Promise<Transform | undefined> {
  if (recipients.length === 0) return undefined;
  const { encryption } = await import('./encryption.ts');
  return encryption({ recipients });
}

/** The backups of one installation in a folder that may hold anything else. Names sort by their time. */
class Series {
  readonly #folder: string;
  readonly #start: string;

  constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#start = `florin-${id}-`;
  }

  nameAt(now: Date): string {
    return `${this.#start}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
  }

  /** Newest first. */
  async list(): Promise<string[]> {
    return (await this.#read()).filter((name) => this.#isOurs(name)).sort((a, b) => (a < b ? 1 : -1));
  }

  /** Those with names from the future, left by a clock that was wrong, take nobody's place and stay. */
  async deleteOldest(made: string, keep: number): Promise<string[]> {
    const old = (await this.list()).filter((name) => name < made).slice(keep - 1);
    for (const name of old) await rm(join(this.#folder, name));
    return old;
  }

  /** Left by a process that was killed: the only process that writes here has none yet. */
  async deleteParts(): Promise<void> {
    const parts = (await this.#read()).filter(
      (name) => name.endsWith(partOf('')) && this.#isOurs(name.slice(0, -partOf('').length)),
    );
    for (const name of parts) await rm(join(this.#folder, name), { force: true });
  }

  #isOurs(name: string): boolean {
    return (
      name.startsWith(this.#start) &&
      /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/.test(name.slice(this.#start.length))
    );
  }

  async #read(): Promise<string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new Error(`there is no folder ${this.#folder}: create it, or mount its disk`);
      throw isFileProblem(error) ? new Error(fileProblem(error, this.#folder)) : error;
    });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }
}
