import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './clean-up.ts';
import { newDataFolder } from './data-folder.ts';
import { type Running, startProcess } from './process.ts';
import { setUrl } from './webhooks.ts';

/** PostgreSQL in this process, a merchant, and as many webhook workers as wanted, each a process of its own. */
export interface Fleet {
  dataFolder: string;
  db: Database;
  merchantId: string;
  startWorker(): Promise<Running>;
  stopPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  /** Pretends that every lease has expired. */
  endLeases(): Promise<void>;
}

export async function startFleet(webhookUrl: string): Promise<Fleet> {
  const dataFolder = await newDataFolder();
  const start = () => startEmbeddedPostgres({ dataFolder, purpose: 'service' });
  let server = await start();
  cleanUp(() => server.stop());
  const host = encodeURIComponent(join(dataFolder, 'postgres'));
  const env = {
    DATABASE_URL: `postgres://florin@localhost/florin?host=${host}`,
    FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
    FLORIN_DATA: join(dataFolder, 'unused'),
    FLORIN_ROLES: 'worker',
    LOG_LEVEL: 'warn',
  };
  async function startWorker(): Promise<Running> {
    const worker = await startProcess(env);
    cleanUp(() => worker.end('SIGKILL'));
    return worker;
  }
  // The first process of an installation makes the tables and a merchant.
  await (await startWorker()).end('SIGTERM');
  const db = openDatabase({ connection: server.connection, poolSize: 1 });
  cleanUp(() => db.close());
  const [merchant] = await db.query<{ id: string }>('select id from merchants');
  await setUrl(db, merchant!.id, webhookUrl);
  return {
    dataFolder,
    db,
    merchantId: merchant!.id,
    startWorker,
    stopPostgres: () => server.stop(),
    async startPostgres() {
      server = await start();
    },
    async endLeases() {
      await db.transaction(async (tx) => {
        await tx.query('select from webhook_endpoints for no key update');
        await tx.query('update webhook_deliveries set lease_until = now() where lease_until is not null');
        await tx.query('update webhook_endpoints set claim_at = now()');
      });
    },
  };
}
