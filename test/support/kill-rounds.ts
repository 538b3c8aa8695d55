import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandboxChain } from '@florin/sandbox-chain';
import { openDatabase } from '../../src/platform/db/database.ts';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { openShop } from './open-shop.ts';
import { freePort, postgresPid, type Running, startProcess, temporaryFolder } from './process.ts';
import { checkShop, type Verdict } from './shop-check.ts';
import { type ShopLoad, startShopLoad } from './shop-load.ts';
import { startReceiver } from './webhooks.ts';

export type Victim = 'service' | 'worker' | 'postgres';

export interface KillRun {
  /** One for each round. */
  victims: readonly Victim[];
  /** Ends before the last round if it takes longer. */
  longestMs: number;
  onDone(clean: () => Promise<unknown>): void;
  onRound(round: KillRound, acknowledged: number): void;
}

export interface KillRound {
  fault: Victim;
  /** The longest time in it without any acknowledged write. */
  gapMs: number;
  /** Time until the killed process was there again. */
  startMs: number;
  /** Load of the machine then. */
  load: number;
  /** Output of PostgreSQL and the service meanwhile, if the gap is long. */
  log?: string[];
}

export interface KillReport {
  rounds: KillRound[];
  verdict: Verdict;
  /** Processes that ended although nobody killed them. */
  ended: string[];
}

const WRITES_BETWEEN = 30;
const LONG_GAP_MS = 30_000;

/**
 * One installation with its embedded PostgreSQL and two workers beside it, under a shop's load. In each round a process
 * of it dies by kill -9 and is started again; at the end everything that was acknowledged is compared with what is there.
 */
export async function killUnderLoad({ victims, longestMs, onDone, onRound }: KillRun): Promise<KillReport> {
  const installation = await startInstallation(onDone);
  const { load } = installation;
  const rounds: KillReport['rounds'] = [];
  const deadlineMs = performance.now() + longestMs;
  for (const fault of victims) {
    if (performance.now() > deadlineMs) break;
    await load.more(WRITES_BETWEEN);
    const since = new Date();
    const sinceMs = performance.now();
    await installation.kill(fault);
    const startMs = Math.round(performance.now() - sinceMs);
    await load.more(WRITES_BETWEEN);
    const gapMs = Math.round(load.longestGapMs(sinceMs));
    const log = gapMs > LONG_GAP_MS ? { log: await installation.logSince(since) } : {};
    const round = { fault, gapMs, startMs, load: loadavg()[0]!, ...log };
    rounds.push(round);
    onRound(round, load.count());
  }
  await load.stop();
  return { rounds, verdict: await installation.check(), ended: installation.ended() };
}

interface Installation {
  load: ShopLoad;
  kill(victim: Victim): Promise<void>;
  /** Returns the output of PostgreSQL and the service since then. */
  logSince(since: Date): Promise<string[]>;
  check(): Promise<Verdict>;
  ended(): string[];
}

async function startInstallation(onDone: KillRun['onDone']): Promise<Installation> {
  const folder = await temporaryFolder(onDone);
  const chain = await startSandboxChain({ slotMs: 200 });
  onDone(() => chain.stop());
  chain.advanceSlots(40);
  const { processes, dataFolder, env, kill } = await startProcesses(folder, onDone, {
    SOLANA_RPC_URLS: chain.rpcUrl,
    SOLANA_WS_URL: chain.wsUrl,
    LOG_LEVEL: 'error',
  });
  const db = openDatabase({ connection: connectionIn(dataFolder), poolSize: 1, onIdleError: () => {} });
  onDone(() => db.close());
  const receiver = await startReceiver();
  const shop = await openShop(processes.service, db, receiver.url);
  const urls = () => [processes.service.url];
  const load = await startShopLoad({ ...shop, urls, rpcUrl: chain.rpcUrl });
  const { acknowledged } = load;
  return {
    load,
    kill,
    logSince: async (since) => [
      ...(await serverLogSince(dataFolder, since)),
      ...processes.service.output().split('\n'),
    ],
    check: () => checkShop({ db, acknowledged, received: receiver.received, env }),
    ended: () =>
      Object.entries(processes)
        .filter(([, { child }]) => child.exitCode !== null || child.signalCode !== null)
        .map(([name, { output }]) => `${name}: ${output().slice(-2_000)}`),
  };
}

async function serverLogSince(dataFolder: string, since: Date): Promise<string[]> {
  const lines = (await readFile(join(dataFolder, 'postgres/server.log'), 'utf8')).split('\n');
  // Each begins with the moment, in UTC.
  const start = since.toISOString().slice(0, 19).replace('T', ' ');
  return lines.filter((line) => /^\d{4}-/.test(line) && line.slice(0, start.length) >= start);
}

/** One process that has PostgreSQL and the API, and two workers that only know where both are. */
async function startProcesses(folder: string, onDone: KillRun['onDone'], nodes: Record<string, string>) {
  const dataFolder = join(folder, 'data');
  const own = {
    FLORIN_DATA: dataFolder,
    FLORIN_ROLES: 'api,watcher',
    PORT: String(await freePort()),
    ...nodes,
  };
  const service = await startProcess(own);
  const processes: Record<'service' | 'worker1' | 'worker2', Running> = {
    service,
    worker1: service,
    worker2: service,
  };
  onDone(() => Promise.all(Object.values(processes).map((one) => one.end('SIGTERM'))));
  const secretKey = (await readFile(join(dataFolder, 'secret.key'), 'utf8')).split('\n')[0]!;
  const socket = encodeURIComponent(join(dataFolder, 'postgres'));
  const env = {
    DATABASE_URL: `postgres://florin@localhost/florin?host=${socket}`,
    FLORIN_SECRET_KEY: secretKey,
    FLORIN_DATA: join(folder, 'worker'),
    FLORIN_ROLES: 'worker',
    ...nodes,
  };
  processes.worker1 = await startProcess(env);
  processes.worker2 = await startProcess(env);
  let turn = 0;
  const kills: Record<Victim, () => Promise<void>> = {
    async service() {
      await processes.service.end('SIGKILL');
      processes.service = await startProcess(own);
    },
    async worker() {
      const place = turn++ % 2 === 0 ? 'worker1' : 'worker2';
      await processes[place].end('SIGKILL');
      processes[place] = await startProcess(env);
    },
    async postgres() {
      const pid = await postgresPid(dataFolder);
      process.kill(pid, 'SIGKILL');
      while ((await postgresPid(dataFolder).catch(() => pid)) === pid) await sleep(5);
    },
  };
  return { processes, dataFolder, env, kill: (victim: Victim) => kills[victim]() };
}
