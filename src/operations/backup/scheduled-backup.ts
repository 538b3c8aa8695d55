import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { LOCKS, tryAlone } from '../../platform/db/advisory-locks.ts';
import type { Database } from '../../platform/db/database.ts';
import { findLastProof, noteBackup, noteProof, readSeries } from '../../platform/db/installation.ts';
import { fileProblem, isFileProblem } from '../../platform/lib/file-problem.ts';
import { redact } from '../../platform/lib/log.ts';
import { isPartOf } from '../../platform/lib/write-whole-file.ts';
import type { Transform } from '../table-file/encryption.ts';
import { writeBackupFile } from './write-backup-file.ts';

export interface BackupSchedule {
  /** Never created here: where its disk is not mounted, backups would land on the disk they are to survive. */
  folder: string;
  everyMs: number;
  keep: number;
  /** None: not encrypted. */
  recipients: readonly string[];
  /** Absent: none is proven. */
  proof?: ProofSchedule | undefined;
}

export interface ProofSchedule {
  everyMs: number;
  /** Restores what it reads to somewhere, and throws if that fails. */
  prove(input: Readable, signal?: AbortSignal): Promise<unknown>;
}

export interface MadeBackup {
  file: string;
  bytes: number;
  deleted: string[];
  /** Absent where none was due. */
  proof?: Proof | undefined;
}

export interface Proof {
  /** Why it cannot be restored; null: it was. */
  problem: string | null;
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
  { folder, keep, recipients, proof }: BackupSchedule,
  now: Date,
  signal?: AbortSignal | undefined,
): Promise<MadeBackup> {
  await series.deleteParts();
  const name = series.nameAt(now);
  const file = join(folder, name);
  const encrypt = await encryptionFor(recipients);
  const proving = await beginProof(db, proof, now, signal);
  // Nobody else has these names.
  const options = { now, encrypt, signal, isReplacing: true, copyTo: proving?.input };
  await writeBackupFile(db, file, options).catch(async (error) => {
    proving?.input.destroy(error);
    // Until its copy is gone.
    await proving?.end();
    throw error;
  });
  await noteBackup(db, now);
  const { size: bytes } = await stat(file);
  const proven = await proving?.end();
  // One that was ended says nothing about the backup.
  if (proven && !signal?.aborted) await noteProof(db, now, proven.problem);
  return { file, bytes, deleted: await series.deleteOldest(name, keep), proof: proven };
}

/**
 * The bytes of the backup are restored as they are written: later only those who have the identity could read them. A
 * backup that cannot be proven is still the best there is, and kept.
 */
async function beginProof(
  db: Database,
  proof: ProofSchedule | undefined,
  now: Date,
  signal: AbortSignal | undefined,
) {
  if (!proof) return undefined;
  const last = await findLastProof(db);
  if (last && now.getTime() - last.getTime() < proof.everyMs) return undefined;
  const input = new PassThrough();
  const proven = proof.prove(input, signal).then(
    (): Proof => ({ problem: null }),
    (error: Error): Proof => {
      input.destroy();
      return { problem: redact(error.message) };
    },
  );
  input.on('error', () => {});
  return { input, end: () => proven };
}

/** Its library is large, and loaded only where backups are encrypted. */
export async function encryptionFor(recipients: readonly string[]): Promise<Transform | undefined> {
  if (recipients.length === 0) return undefined;
  const { encryption } = await import('../table-file/encryption.ts');
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

  /** Files with names from the future, left by a clock that was wrong, do not count toward `keep` and stay. */
  async deleteOldest(made: string, keep: number): Promise<string[]> {
    const old = (await this.list()).filter((name) => name < made).slice(keep - 1);
    for (const name of old) await rm(join(this.#folder, name));
    return old;
  }

  /** Left by a process that was killed: the only process that writes here has none yet. */
  async deleteParts(): Promise<void> {
    const nameLength = this.nameAt(new Date(0)).length;
    const parts = (await this.#read()).filter((name) => {
      const made = name.slice(0, nameLength);
      return this.#isOurs(made) && isPartOf(name, made);
    });
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
