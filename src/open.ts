import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { findHolder, type Purpose } from './db/data-folder-lock.ts';
import { type Database, openDatabase } from './db/database.ts';
import { connectionIn, startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { type SecretBox, secretBox } from './lib/secret-box.ts';

export interface Opened {
  db: Database;
  secrets: SecretBox;
  /** Told to people: where the data is. */
  place: string;
  close(): Promise<void>;
}

/**
 * The database and the key to its secrets, as configured: an external PostgreSQL, the embedded one of a
 * service that is running (for commands), or the embedded one, started here.
 */
export async function openStorage(
  config: Config,
  purpose: Purpose,
  onProblem: (message: string) => void,
): Promise<Opened> {
  const options = {
    poolSize: config.DATABASE_POOL_SIZE,
    preparedStatements: config.DATABASE_PREPARED_STATEMENTS,
    onIdleError: (error: Error) => onProblem(`a database connection was lost: ${error.message}`),
  };
  if (config.DATABASE_URL) {
    const db = openDatabase({ ...options, connection: { connectionString: config.DATABASE_URL } });
    const place = new URL(config.DATABASE_URL).host || 'DATABASE_URL';
    return { db, secrets: secretBox(config.FLORIN_SECRET_KEY!), place, close: () => db.close() };
  }
  const folder = config.FLORIN_DATA;
  await mkdir(folder, { recursive: true });
  const secrets = secretBox(config.FLORIN_SECRET_KEY ?? (await ensureKeyFile(folder)));
  if (purpose === 'command' && (await findHolder(folder))?.purpose === 'service') {
    const db = openDatabase({ ...options, connection: connectionIn(folder) });
    return { db, secrets, place: folder, close: () => db.close() };
  }
  const embedded = await startEmbeddedPostgres({ dataFolder: folder, purpose, onCrash: onProblem });
  const db = openDatabase({ ...options, connection: embedded.connection });
  return {
    db,
    secrets,
    place: folder,
    async close() {
      await db.close();
      await embedded.stop();
    },
  };
}

/** The data folder's own key, made once. The link makes it appear whole, and only for one of two rivals. */
async function ensureKeyFile(folder: string): Promise<Buffer> {
  const path = join(folder, 'secret.key');
  const draft = `${path}.${process.pid}`;
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === undefined) {
    const file = await open(draft, 'w', 0o600);
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await file.sync();
    await file.close();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
  }
  const key = Buffer.from((before ?? (await readFile(path, 'utf8'))).trim(), 'hex');
  if (key.length !== 32) throw new Error(`${path} does not hold 64 hex digits`);
  return key;
}
