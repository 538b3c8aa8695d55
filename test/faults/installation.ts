import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandboxChain } from '@florin/sandbox-chain';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { cleanUp } from '../support/clean-up.ts';
import { openShop } from '../support/open-shop.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { florin, freePort, type Running, startProcess, temporaryFolder } from '../support/process.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import type { Shop } from '../support/shop-load.ts';
import { type Receiver, startReceiver } from '../support/webhooks.ts';
import { knowNames, type Names } from './names.ts';
import { type LineProxy, type NodeProxy, startLineProxy, startNodeProxy } from './proxies.ts';

export const ROLES = ['api', 'worker', 'watcher'] as const;
export type Role = (typeof ROLES)[number];
const NAMES = ROLES.flatMap((role) => [`${role}-1`, `${role}-2`]);
const SLOT_MS = 200;

/** Two processes of each role, PostgreSQL and two Solana nodes behind lines that can be cut, and Prometheus. */
export interface Installation {
  shop: Shop;
  receiver: Receiver;
  /** A connection of its own, which no fault touches. */
  db: Database;
  server: OwnPostgres;
  line: LineProxy;
  /** Another way to PostgreSQL, which nothing takes unless the line leads there. */
  bouncer: PgBouncer;
  names: Names;
  nodes: NodeProxy[];
  prometheus: Prometheus;
  /** Environment for commands of the operator. */
  env: Record<string, string>;
  process(name: string): Running;
  start(name: string, more?: { preload: string; env: Record<string, string> }): Promise<void>;
  /** Output of all processes so far, as it came. */
  output(): string;
}

export async function startInstallation(): Promise<Installation> {
  const folder = await temporaryFolder(cleanUp);
  const server = await ownPostgres({ diskMb: 2_000 });
  const own = new URL(server.databaseUrl);
  const line = await startLineProxy({ host: own.hostname, port: Number(own.port) });
  const bouncer = await startPgBouncer({
    ...{ database: 'florin', port: Number(own.port), mode: 'session', poolSize: 90 },
  });
  const chain = await startSandboxChain({ slotMs: SLOT_MS });
  cleanUp(() => chain.stop());
  chain.advanceSlots(40);
  const nodes = [await startNodeProxy(chain.rpcUrl), await startNodeProxy(chain.rpcUrl)];
  const names = await knowNames(folder);
  const env = {
    ...names.env,
    DATABASE_URL: `postgres://florin@${names.databaseHost}:${line.port}/florin?sslmode=disable`,
    FLORIN_SECRET_KEY: randomBytes(32).toString('hex'),
    FLORIN_DATA: join(folder, 'operator'),
    SOLANA_RPC_URLS: nodes.map(({ url }) => url).join(),
    SOLANA_WS_URL: chain.wsUrl,
    LOG_LEVEL: 'warn',
  };
  const ports = new Map<string, string>();
  for (const name of NAMES) ports.set(name, String(await freePort()));
  const processes = new Map<string, Running>();
  let output = '';
  const start: Installation['start'] = async (name, more) => {
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    const main = join(import.meta.dirname, '../../src/main.ts');
    const port = ports.get(name)!;
    const started = await startProcess(
      {
        ...{ ...env, ...more?.env, PORT: port, HEALTH_PORT: port },
        ...{ FLORIN_ROLES: name.split('-')[0]!, FLORIN_DATA: join(folder, name) },
      },
      [process.execPath, ...(more ? ['--import', more.preload] : []), main],
    );
    processes.set(name, started);
    output += started.output();
    for (const stream of [started.child.stdout!, started.child.stderr!])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    cleanUp(async () => void (await started.end('SIGKILL')));
  };
  for (const name of NAMES) await start(name);
  // Otherwise an alert calls for one all the time.
  const backup = await florin(['backup', join(folder, 'first.florin-backup')], env);
  if (backup.code !== 0) throw new Error(backup.stderr);
  const receiver = await startReceiver();
  const db = openDatabase({ connection: [server.databaseUrl], poolSize: 2, onIdleError: () => {} });
  cleanUp(() => db.close());
  const apis = () => ['api-1', 'api-2'].map((name) => processes.get(name)!);
  return {
    shop: {
      ...(await openShop(apis()[0]!, db, receiver.url)),
      urls: () => apis().map(({ url }) => url),
      rpcUrl: chain.rpcUrl,
    },
    ...{ receiver, db, server, line, bouncer, names, nodes, env, start },
    prometheus: await startPrometheus([...ports.values()].map((port) => `127.0.0.1:${port}`)),
    process: (name) => processes.get(name)!,
    output: () => output,
  };
}
