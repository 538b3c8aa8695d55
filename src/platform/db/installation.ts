import assert from 'node:assert/strict';
import { MissingSecretKey, type SecretBox } from '../lib/secret-box.ts';
import type { Database, Queryable } from './database.ts';

const CHECK_TEXT = 'florin';

/** Marks a new database with its network and secret key, then checks it like any other. */
export async function ensureInstallation(
  db: Database,
  network: string,
  secrets: SecretBox,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into installation (network, sealed_check, created_at) values ($1, $2, $3) on conflict do nothing`,
    [network, secrets.seal(CHECK_TEXT), now],
  );
  await checkInstallation(db, network, secrets);
}

/**
 * Refuses a database that was marked otherwise: opening a mainnet database as a sandbox, or with another
 * key, would do damage that shows only later.
 */
export async function checkInstallation(db: Database, network: string, secrets: SecretBox): Promise<void> {
  const [row] = await db.query<{ network: string; sealedCheck: Buffer }>(
    'select network, sealed_check from installation',
  );
  if (!row)
    throw new Error('this database has never been started: run npx florin start, or npx florin migrate');
  if (row.network !== network) {
    throw new Error(
      `this database belongs to the network "${row.network}", but FLORIN_NETWORK is "${network}"`,
    );
  }
  requireKey(secrets, row.sealedCheck);
}

function requireKey(secrets: SecretBox, sealed: Buffer): void {
  try {
    assert.equal(secrets.open(sealed), CHECK_TEXT);
  } catch (cause) {
    const reason = cause instanceof MissingSecretKey ? cause.message : 'the check value is damaged';
    throw new Error(
      `FLORIN_SECRET_KEY (or the key file in the data folder) is not the one this database was made with: ${reason}. If nobody has it anymore: npx florin secret-key give-up`,
      { cause },
    );
  }
}

/** Marks the database with the current key, in place of one that nobody has. */
export async function resealInstallation(db: Database, secrets: SecretBox): Promise<void> {
  await db.query('update installation set sealed_check = $1', [secrets.seal(CHECK_TEXT)]);
}

/** How far the sandbox's time is ahead of real time. */
export async function readClockOffset(db: Database): Promise<number> {
  const [row] = await db.query<{ offset: bigint }>('select clock_offset_ms as offset from installation');
  return Number(row?.offset ?? 0n);
}

/** The time by the database's own clock, moved as the sandbox has moved it: the same for every process. */
export async function readSharedTime(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.query<{ now: Date }>(
    `select now() + clock_offset_ms * interval '1 millisecond' as now from installation`,
  );
  return row?.now;
}

/** Only ever forward, whichever process is last. */
export async function storeClockOffset(db: Database, offsetMs: number): Promise<void> {
  await db.query('update installation set clock_offset_ms = greatest(clock_offset_ms, $1)', [
    Math.round(offsetMs),
  ]);
}

/** Remembers that a backup was completed. */
export async function noteBackup(db: Queryable, now: Date): Promise<void> {
  await db.query('update installation set backed_up_at = $1', [now]);
}

/** Why the last scheduled backup failed; null once one was made. */
export async function noteBackupProblem(db: Queryable, problem: string | null): Promise<void> {
  await db.query('update installation set backup_problem = $1 where backup_problem is distinct from $1', [
    problem,
  ]);
}

/** A standby, or a server or database that was set to take no writes. */
export async function isReadOnly(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only')::boolean as is_read_only`,
  );
  return row!.isReadOnly;
}

export async function findBackupProblem(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ problem: string | null }>(
    'select backup_problem as problem from installation',
  );
  return row?.problem ?? undefined;
}

/** Tells the files of this database from those of any other, a restored copy of it included. */
export async function readSeries(db: Queryable): Promise<string> {
  const [row] = await db.query<{ series: string }>(
    'select left(lineage::text, 8) as series from installation',
  );
  return row!.series;
}

/** When the last backup was completed. */
export async function findLastBackup(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>('select backed_up_at as at from installation');
  return row?.at ?? undefined;
}

/** Remembers the last backup that was restored to see whether it can be; a problem leaves the one before it. */
export async function noteProof(db: Queryable, now: Date, problem: string | null): Promise<void> {
  await db.query(
    `update installation set backup_proof_problem = $2,
                             backup_proven_at = case when $2::text is null then $1 else backup_proven_at end`,
    [now, problem],
  );
}

export async function findLastProof(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>('select backup_proven_at as at from installation');
  return row?.at ?? undefined;
}

export async function findProofProblem(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ problem: string | null }>(
    'select backup_proof_problem as problem from installation',
  );
  return row?.problem ?? undefined;
}
