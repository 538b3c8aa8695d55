import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type Config, markFileOf } from '../../config/config.ts';
import { restore } from '../../operations/backup/restore.ts';
import { verifyBackup } from '../../operations/backup/verify.ts';
import { writeBackupFile } from '../../operations/backup/write-backup-file.ts';
import { decrypted, encryption, type Transform, unlocking } from '../../operations/table-file/encryption.ts';
import { startLineage } from '../../platform/db/high-water-mark.ts';
import { checkInstallation, noteBackup } from '../../platform/db/installation.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { type CommandContext, CommandFailed, type CommandOutput } from './context.ts';
import { createGiven, openGiven, readGiven } from './files.ts';
import { untilInterrupted } from './interruption.ts';

export interface EncryptOptions {
  recipient?: string[];
  passphraseFile?: string;
}

export interface BackupOptions extends EncryptOptions {
  force?: boolean;
}

export interface UnlockOptions {
  identity?: string[];
  passphraseFile?: string;
}

export async function backupCommand(
  { db, print, say }: CommandContext,
  file: string,
  options: BackupOptions,
): Promise<void> {
  const encrypt = await chooseEncryption(options);
  if (!options.force && existsSync(file))
    throw new CommandFailed(`${file} already exists; choose another name, or replace it with --force`);
  const summary = await writeBackupFile(db, file, {
    ...{ now: realNow(), encrypt, onProgress: progress(say), isReplacing: options.force },
  });
  await noteBackup(db, realNow());
  print(
    { file, encrypted: encrypt !== undefined, ...summary },
    `Backed up ${summary.rows} rows of ${summary.tables} tables to ${file}${encrypt ? ', encrypted' : ''}.\nIt does not contain the secret key. Keep a copy of that key: without it, the webhook secrets in the backup cannot be read.`,
  );
}

export async function restoreCommand(
  { config, db, secrets, print, say }: CommandContext,
  file: string,
  options: UnlockOptions,
): Promise<void> {
  const summary = await restore(db, await openBackup(file, options), progress(say));
  // Marks of the earlier database say nothing about this one.
  await startLineage(db, markFileOf(config));
  await checkInstallation(db, config.FLORIN_NETWORK, secrets);
  print(
    { file, ...summary },
    `Restored ${summary.rows} rows of ${summary.tables} tables, every byte as it was backed up.`,
  );
}

export async function verifyBackupCommand(
  { print, say }: CommandOutput,
  file: string,
  options: UnlockOptions,
): Promise<void> {
  const summary = await verifyBackup(await openBackup(file, options), progress(say));
  print(
    { file, ...summary, restored: false },
    `No byte of ${file} is missing or another: ${summary.rows} rows of ${summary.tables} tables, made at ${summary.createdAt}.\nIt was not restored; to prove that it can be, add --restore.`,
  );
}

/** Needs no database of its own: one is made for the moment. */
export async function proveBackupCommand(
  { EMBEDDED_POSTGRES_UID: serverUid }: Config,
  { print, say }: CommandOutput,
  file: string,
  options: UnlockOptions,
): Promise<void> {
  const input = await openBackup(file, options);
  const { proveBackup } = await import('../../operations/backup/prove-backup.ts');
  const { invariants } = await import('../../operations/doctor/doctor.ts');
  const interruption = untilInterrupted('interrupted: nothing was proven, and nothing stays of it');
  const { signal } = interruption;
  const summary = await proveBackup(input, {
    ...{ invariants, serverUid, onProgress: progress(say), signal },
  }).finally(interruption.stop);
  print(
    { file, ...summary, restored: true },
    `${file} can be restored: it was, and all ${summary.rows} rows of ${summary.tables} tables read as they were backed up, at ${summary.createdAt}.`,
  );
}

/**
 * Writes a key in the form of age-keygen, and never over a file that is there: it may be the only key to old backups.
 */
export async function backupKeygenCommand({ print }: CommandOutput, file: string): Promise<void> {
  const identity = await generateX25519Identity();
  const publicKey = await identityToRecipient(identity);
  const text = `# created: ${realNow().toISOString()}\n# public key: ${publicKey}\n${identity}\n`;
  const created = await createGiven(file);
  await created.writeFile(text).finally(() => created.close());
  print(
    { file, publicKey },
    `Public key  ${publicKey}\n\nThe identity is in ${file}. Keep it off this machine: only a restore needs it.`,
  );
}

export async function chooseEncryption({
  recipient,
  passphraseFile,
}: EncryptOptions): Promise<Transform | undefined> {
  if (recipient && passphraseFile) throw new CommandFailed('use --recipient or --passphrase-file, not both');
  if (recipient) return encryption({ recipients: recipient });
  return passphraseFile ? encryption({ passphrase: await readPassphrase(passphraseFile) }) : undefined;
}

export async function openBackup(
  file: string,
  { identity = [], passphraseFile }: UnlockOptions,
): Promise<Readable> {
  const texts = await Promise.all(identity.map((path) => readGiven(path)));
  const passphrase = passphraseFile ? await readPassphrase(passphraseFile) : undefined;
  const unlock = unlocking(texts, passphrase);
  return decrypted((await openGiven(file)).createReadStream(), unlock);
}

/** The first line: an editor's newline at the end is no part of it. */
async function readPassphrase(file: string): Promise<string> {
  const passphrase = (await readGiven(file)).split(/\r?\n/)[0]!;
  if (passphrase === '') throw new CommandFailed(`${file} has no passphrase in its first line`);
  return passphrase;
}

function progress(say: (line: string) => void) {
  return ({ table, rows }: { table: string; rows: number }) => say(`  ${table}: ${rows} rows`);
}
