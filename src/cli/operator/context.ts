import { findMerchant, listMerchants } from '../../accounts/merchants/queries.ts';
import { COMMAND } from '../../config/command-name.ts';
import { type Config, ConfigError, markFileOf, readConfig } from '../../config/config.ts';
import type { KeyFile } from '../../operations/secret-keys/key-file.ts';
import { followDatabaseTime } from '../../platform/db/clock-watch.ts';
import type { Database } from '../../platform/db/database.ts';
import { readWentBack } from '../../platform/db/high-water-mark.ts';
import { ensureInstallation } from '../../platform/db/installation.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { readSchemaState } from '../../platform/db/schema-state.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { redact } from '../../platform/lib/log.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { type Opened, openStorage } from '../../service/open-storage.ts';

/** A command's own "no": its message goes to stderr and the exit code is 1. */
export class CommandFailed extends Error {}

/** Streams for a command's output. */
export interface CommandOutput {
  /** The result: the object with --json, the text for people without. */
  print(result: object, text: string): void;
  /** Progress for people; silent with --json. */
  say(line: string): void;
}

export interface CommandContext extends CommandOutput {
  config: Config;
  db: Database;
  secrets: SecretBox;
  /** File of the secret keys, unless the settings hold them. */
  keyFile: KeyFile | undefined;
}

export interface StorageUse {
  migrated?: boolean;
  changes?: boolean;
  /** The secret key need not be that of the database. */
  anyKey?: boolean;
}

/**
 * Runs a command on the configured database: that of the service if it is running, otherwise the embedded
 * one is started for the moment and stopped again.
 */
export async function withStorage(
  options: { json?: boolean },
  { migrated = true, changes = false, anyKey = false }: StorageUse,
  command: (context: CommandContext) => Promise<void>,
): Promise<void> {
  let storage: Opened | undefined;
  try {
    const config = readConfig(process.env);
    storage = await openStorage(config, 'command', () => {});
    await followDatabaseTime(storage.db);
    if (migrated) await ensureMigrated(config, storage.db);
    if (migrated && !anyKey)
      await ensureInstallation(storage.db, config.FLORIN_NETWORK, storage.secrets, realNow());
    if (changes) await refuseBehind(config, storage.db);
    await command({
      config,
      db: storage.db,
      secrets: storage.secrets,
      keyFile: storage.keyFile,
      ...outputOf(options),
    });
  } catch (error) {
    fail(error);
  } finally {
    await storage?.close();
  }
}

/** Runs a command that opens the database itself, when it needs it. */
export async function withSettings(
  options: { json?: boolean },
  command: (config: Config, output: CommandOutput) => Promise<void>,
): Promise<void> {
  try {
    await command(readConfig(process.env), outputOf(options));
  } catch (error) {
    fail(error);
  }
}

/** Runs a command that needs no database. */
export async function withoutStorage(
  options: { json?: boolean },
  command: (output: CommandOutput) => Promise<void>,
): Promise<void> {
  await command(outputOf(options)).catch(fail);
}

function outputOf(options: { json?: boolean }): CommandOutput {
  return {
    print: (result, text) => process.stdout.write(`${options.json ? stringifyJson(result) : text}\n`),
    say: (line) => void (options.json || process.stdout.write(`${line}\n`)),
  };
}

function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

/** The embedded database is migrated automatically; an external one only on the operator's command. */
async function ensureMigrated(config: Config, db: Database): Promise<void> {
  const { pending, problem } = await readSchemaState(db);
  if (problem) throw new CommandFailed(problem);
  if (pending > 0) {
    if (config.DATABASE_URL)
      throw new CommandFailed(`the database schema is not up to date: run ${COMMAND} migrate first`);
    await migrate(db);
  }
}

/**
 * Refuses to write to an old copy: what is written would be lost with it, or collide with what was given out before.
 */
async function refuseBehind(config: Config, db: Database): Promise<void> {
  const wentBack = await readWentBack(db, markFileOf(config));
  if (wentBack !== undefined)
    throw new CommandFailed(`${wentBack}. Nothing was changed: see ${COMMAND} doctor`);
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `Bad settings:\n${error.message.replace(/^/gm, '  ')}`;
  if (error instanceof CommandFailed || error instanceof AppError) return redact(error.message);
  return redact(`${(error as Error).message}`);
}

/** The one that is named, or the only one there is. */
export async function chooseMerchant({ db }: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (!isUuid(given) || !(await findMerchant(db, given)))
      throw new CommandFailed(`there is no merchant ${given}`);
    return given;
  }
  const merchants = await listMerchants(db);
  if (merchants.length !== 1)
    throw new CommandFailed(`choose a merchant with --merchant <id>; ${COMMAND} merchants list shows them`);
  return merchants[0]!.id;
}
