import type { Readable } from 'node:stream';
import type { Config } from '../config/config.ts';
import { deleteLeftProofs } from '../operations/backup/proof-folder.ts';
import { type BackupSchedule, backUpIfDue, encryptionFor } from '../operations/backup/scheduled-backup.ts';
import type { Database } from '../platform/db/database.ts';
import { noteBackupProblem } from '../platform/db/installation.ts';
import { elapsedMs, HOUR_MS, QUARTER_MS, realNow } from '../platform/lib/clock.ts';
import { type Logger, redact } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';

interface Parts {
  config: Config;
  db: Database;
  log: Logger;
  metrics: Metrics;
}

/**
 * Job that a worker runs every minute. It never fails: if the disk is full, it tries again after a while, not every
 * second.
 */
export type BackUp = (signal: AbortSignal) => Promise<void>;

/** The backups that are made without anybody asking, as configured. A public key that cannot be one ends the start. */
export async function openScheduledBackups({ config, db, log, metrics }: Parts): Promise<BackUp> {
  // Undefined: not known yet, after a start.
  let isFailing: boolean | undefined;
  if (config.FLORIN_ROLES.includes('worker'))
    metrics.gauge('florin_backup_failing', '1 while the last scheduled backup failed.', () =>
      isFailing ? 1 : 0,
    );
  const left = await deleteLeftProofs();
  if (left.length > 0) log.warn({ folders: left }, 'deleted copies of a database that a proof had left');
  const schedule = scheduleOf(config);
  if (!schedule) return async () => {};
  await checkRecipients(schedule);
  let notBeforeMs = 0;
  return async (signal) => {
    if (elapsedMs() < notBeforeMs) return;
    try {
      const startedMs = elapsedMs();
      const made = await backUpIfDue(db, schedule, realNow(), signal);
      if (isFailing !== false) await noteBackupProblem(db, null);
      isFailing = false;
      if (made) log.info({ ...made, ms: Math.round(elapsedMs() - startedMs) }, 'backup made');
      if (made?.proof?.problem)
        log.error(
          { file: made.file, problem: made.proof.problem },
          'the backup was made, but cannot be restored',
        );
    } catch (error) {
      if (signal.aborted) return;
      isFailing = true;
      notBeforeMs = elapsedMs() + QUARTER_MS;
      log.error({ err: error }, 'the scheduled backup failed; trying again in 15 minutes');
      await noteBackupProblem(db, redact((error as Error).message)).catch(() => {});
    }
  };
}

async function checkRecipients({ recipients }: BackupSchedule): Promise<void> {
  try {
    await encryptionFor(recipients);
  } catch (cause) {
    throw new Error(`BACKUP_RECIPIENTS: ${(cause as Error).message}`, { cause });
  }
}

function scheduleOf(config: Config): BackupSchedule | undefined {
  const { BACKUP_FOLDER: folder, BACKUP_KEEP: keep, BACKUP_RECIPIENTS: recipients } = config;
  return folder === undefined
    ? undefined
    : { folder, everyMs: config.BACKUP_EVERY * HOUR_MS, keep, recipients, proof: proofOf(config) };
}

function proofOf({ BACKUP_PROVE_EVERY: hours, EMBEDDED_POSTGRES_UID: serverUid }: Config) {
  if (hours === 0) return undefined;
  return {
    everyMs: hours * HOUR_MS,
    async prove(input: Readable, signal?: AbortSignal) {
      const { proveBackup } = await import('../operations/backup/prove-backup.ts');
      const { invariants } = await import('../operations/doctor/doctor.ts');
      return proveBackup(input, { invariants, serverUid, signal });
    },
  };
}
