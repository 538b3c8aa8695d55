import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { backup } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import type { CommandContext } from './cli-context.ts';
import { checkInstallation } from './db/installation.ts';
import { realNow } from './lib/clock.ts';

/** Writes beside the final name first: a file that bears the name is always a whole backup. */
export async function backupCommand({ db, print, say }: CommandContext, file: string): Promise<void> {
  const half = `${file}.part`;
  const output = createWriteStream(half, { mode: 0o600 });
  try {
    const summary = await backup(db, output, realNow(), progress(say));
    if (!output.writableEnded) output.end();
    await finished(output);
    await rename(half, file);
    print(
      { file, ...summary },
      `Backed up ${summary.rows} rows of ${summary.tables} tables to ${file}.\nKeep the secret key beside it: without it the webhook secrets inside cannot be opened.`,
    );
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

export async function restoreCommand(
  { config, db, secrets, print, say }: CommandContext,
  file: string,
): Promise<void> {
  const summary = await restore(db, createReadStream(file), progress(say));
  await checkInstallation(db, config.FLORIN_NETWORK, secrets);
  print(
    { file, ...summary },
    `Restored ${summary.rows} rows of ${summary.tables} tables, every byte as it was backed up.`,
  );
}

function progress(say: (line: string) => void) {
  return ({ table, rows }: { table: string; rows: number }) => say(`  ${table}: ${rows} rows`);
}
