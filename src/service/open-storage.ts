import { type Config, poolSizeOf } from '../config/config.ts';
import { ensureKeyFile, type KeyFile } from '../operations/secret-keys/key-file.ts';
import { findHolder, type Purpose } from '../platform/db/data-folder-lock.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { hostsText } from '../platform/db/database-hosts.ts';
import { connectionIn, startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts';
import { ensurePrivateFolder } from '../platform/db/private-folder.ts';
import { type SecretBox, secretBox, secretBoxFrom } from '../platform/lib/secret-box.ts';
import { setCell } from '../platform/lib/token.ts';

export interface Opened {
  db: Database;
  secrets: SecretBox;
  /** File of the secret keys, unless the settings hold them. */
  keyFile: KeyFile | undefined;
  /** Printed for people: where the data is. */
  place: string;
  close(): Promise<void>;
}

/**
 * The database and the key to its secrets, as configured: an external PostgreSQL, the embedded one of a
 * service that is running (for commands, and for a part of it), or the embedded one, started here.
 */
export async function openStorage(
  config: Config,
  purpose: Purpose | 'part',
  onProblem: (message: string) => void,
): Promise<Opened> {
  setCell(config.CELL);
  const options = {
    // An export holds two, and opens the merchant again with a third.
    poolSize: Math.max(poolSizeOf(config), purpose === 'command' ? 3 : 1),
    preparedStatements: config.DATABASE_PREPARED_STATEMENTS,
    // An operator's commands write none.
    queuesEmails: purpose !== 'command' && config.SMTP_URL !== undefined,
    onIdleError: (error: Error) => onProblem(`a database connection was lost: ${error.message}`),
  };
  if (config.DATABASE_URL) {
    const db = openDatabase({ ...options, connection: config.DATABASE_URL });
    const place = hostsText(config.DATABASE_URL);
    return { db, ...(await openKeys(config)), place, close: () => db.close() };
  }
  const folder = config.FLORIN_DATA;
  await ensurePrivateFolder(folder);
  const keys = await openKeys(config);
  if (purpose === 'part' || (purpose === 'command' && (await findHolder(folder))?.purpose === 'service')) {
    const db = openDatabase({ ...options, connection: connectionIn(folder) });
    return { db, ...keys, place: folder, close: () => db.close() };
  }
  const embedded = await startEmbeddedPostgres({
    dataFolder: folder,
    purpose,
    onCrash: onProblem,
    serverUid: config.EMBEDDED_POSTGRES_UID,
  });
  const db = openDatabase({ ...options, connection: embedded.connection });
  return {
    db,
    ...keys,
    place: folder,
    async close() {
      await db.close();
      await embedded.stop();
    },
  };
}

async function openKeys(config: Config): Promise<Pick<Opened, 'secrets' | 'keyFile'>> {
  const { FLORIN_SECRET_KEY: current, FLORIN_SECRET_KEYS_OLD: old } = config;
  if (current) return { secrets: secretBox(current, ...old), keyFile: undefined };
  const keyFile = await ensureKeyFile(config.FLORIN_DATA);
  return { secrets: secretBoxFrom(keyFile.source), keyFile };
}
