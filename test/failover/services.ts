import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { urlsOfHosts } from '../../src/platform/db/database-hosts.ts';
import { openShop } from '../support/open-shop.ts';
import { type Running, startProcess } from '../support/process.ts';
import type { Shop } from '../support/shop-load.ts';
import { type Receiver, startReceiver } from '../support/webhooks.ts';

/** The service as an operator would run it beside the cluster: two processes of each role, a chain, a merchant with a webhook. */
export interface Services {
  shop: Shop;
  receiver: Receiver;
  db: Database;
  /** Environment for commands of the operator. */
  env: Record<string, string>;
  /** Processes that have ended although nobody asked them to. */
  ended(): string[];
}

const ROLES = ['api', 'worker', 'watcher'] as const;
const SLOT_MS = 200;

type OnDone = (clean: () => Promise<unknown>) => void;

export async function startServices(databaseUrl: string, folder: string, onDone: OnDone): Promise<Services> {
  const chain = await startSandboxChain({ slotMs: SLOT_MS });
  onDone(() => chain.stop());
  chain.advanceSlots(40);
  const env = environment(databaseUrl, folder, chain);
  const processes: { name: string; process: Running }[] = [];
  for (const role of ROLES) {
    for (const number of [1, 2]) {
      const name = `${role}-${number}`;
      await mkdir(join(folder, name), { mode: 0o700 });
      // Each on a machine of its own, as far as its files go.
      const own = { FLORIN_ROLES: role, FLORIN_DATA: join(folder, name) };
      const process = await startProcess({ ...env, ...own });
      onDone(() => process.end('SIGTERM'));
      processes.push({ name, process });
    }
  }
  const apis = processes.slice(0, 2).map(({ process }) => process);
  const receiver = await startReceiver();
  const db = openDatabase({ connection: urlsOfHosts(databaseUrl), poolSize: 1, onIdleError: () => {} });
  onDone(() => db.close());
  return {
    shop: {
      ...(await openShop(apis[0]!, db, receiver.url)),
      urls: () => apis.map(({ url }) => url),
      rpcUrl: chain.rpcUrl,
    },
    receiver,
    db,
    env,
    ended: () =>
      processes
        .filter(({ process: { child } }) => child.exitCode !== null || child.signalCode !== null)
        .map(({ name, process }) => `${name}: ${process.output().slice(-2_000)}`),
  };
}

function environment(databaseUrl: string, folder: string, chain: SandboxChain): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    FLORIN_SECRET_KEY: randomBytes(32).toString('hex'),
    FLORIN_DATA: join(folder, 'operator'),
    SOLANA_RPC_URLS: chain.rpcUrl,
    SOLANA_WS_URL: chain.wsUrl,
    LOG_LEVEL: 'warn',
  };
}
