import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './clean-up.ts';
import { newDataFolder } from './data-folder.ts';

export interface Ground {
  chain: SandboxChain;
  db: Database;
  /** Environment for `startProcess`. */
  env: Record<string, string>;
}

/** A database and a chain that outlive the processes of Florin beside them. Slots end by hand. */
export async function startGround(): Promise<Ground> {
  const folder = await newDataFolder();
  const server = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service' });
  cleanUp(() => server.stop());
  const db = openDatabase({ connection: server.connection });
  cleanUp(() => db.close());
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  chain.advanceSlots(40);
  const env = {
    DATABASE_URL: `postgres://florin@localhost/florin?host=${encodeURIComponent(join(folder, 'postgres'))}`,
    FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
    FLORIN_DATA: join(folder, 'unused'),
    SOLANA_RPC_URLS: chain.rpcUrl,
    WATCH_POLL_MS: '100',
    WATCH_FINALITY_MS: '50',
    LOG_LEVEL: 'warn',
  };
  return { chain, db, env };
}
