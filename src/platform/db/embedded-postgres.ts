import { constants, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { lockDataFolder, type Purpose } from './data-folder-lock.ts';
import { EmbeddedServer, USER } from './embedded-server.ts';
import { ensurePrivateFolder } from './private-folder.ts';

export interface EmbeddedPostgres {
  connection: pg.PoolConfig;
  /** PID of the server process now running; it changes when a crashed server is started again. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataFolder: string;
  purpose: Purpose;
  /** Extra server settings, such as `synchronous_commit=off` in a test that must then fail. */
  settings?: Record<string, string>;
  onCrash?: (message: string) => void;
  /** UID the server runs as when we are root. */
  serverUid?: number | undefined;
}

const DATABASE = 'florin';

/**
 * A real PostgreSQL under our own eyes: made on first start, recovered after any crash of it or of us,
 * started again when it dies, and stopped cleanly with us. It listens on a Unix socket only.
 *
 * Server and clients reach the folder through an inherited directory handle (/proc/self/fd/N). So neither a
 * private folder above the project nor the 107-byte limit on socket paths can get in the way.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataFolder = resolve(options.dataFolder);
  await ensurePrivateFolder(dataFolder);
  const unlock = await lockDataFolder(dataFolder, options.purpose);
  try {
    const server = await EmbeddedServer.prepare(
      dataFolder,
      options.settings ?? {},
      options.onCrash ?? (() => {}),
      options.serverUid,
    );
    await server.start();
    const connection = connectionIn(dataFolder);
    await ensureDatabase(connection);
    return {
      connection,
      pid: () => server.pid,
      async stop() {
        await server.stop();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** How to reach the embedded server of a data folder from this process. */
export function connectionIn(dataFolder: string): pg.PoolConfig {
  const folder = openSync(join(resolve(dataFolder), 'postgres'), constants.O_RDONLY | constants.O_DIRECTORY);
  return { host: `/proc/self/fd/${folder}`, user: USER, database: DATABASE, ssl: false };
}

async function ensureDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
