import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  SANDBOX_FIRST_SLOT,
  type SandboxChain,
  type SandboxChainOptions,
  startSandboxChain,
} from '@florin/sandbox-chain';
import { COMMAND } from '../config/command-name.ts';
import type { Config } from '../config/config.ts';
import { DataFolderInUse, lockDataFolder, type Purpose } from '../platform/db/data-folder-lock.ts';
import type { Database } from '../platform/db/database.ts';
import { ensurePrivateFolder } from '../platform/db/private-folder.ts';
import { refuse } from '../platform/http/listen-on.ts';
import { type Clock, systemClock } from '../platform/lib/clock.ts';
import { followClock } from '../sandbox/move-clock.ts';

/** Enough slots for whatever carries the new time to become final. */
export const FINALITY_SLOTS = 40;

/** Left beside the ledger while the chain runs, for commands to find it. */
interface ChainNote {
  pid: number;
  rpcUrl: string;
}

export const chainFolder = (config: Config) => join(config.FLORIN_DATA, 'chain');
const portFile = (folder: string) => join(folder, 'last-port');
const noteFile = (folder: string) => join(folder, 'running.json');

export interface OwnChain {
  chain: SandboxChain;
  stop(): Promise<void>;
}

/** Folder and address of the chain; by default in the data folder, and on the port that is set or that it had last. */
export interface ChainPlace {
  folder?: string | undefined;
  host?: string;
  port?: number;
}

/** The sandbox's chain in this process. Two processes would write two histories into one ledger: the second is refused. */
export async function startOwnChain(
  config: Config,
  clock: Clock,
  { folder = chainFolder(config), ...listenAt }: ChainPlace = {},
): Promise<OwnChain> {
  const release = await lockChain(config, folder, 'service');
  const settings = { stateFolder: folder, slotMs: config.SANDBOX_SLOT_MS, now: () => clock.now() };
  const chain = await startAt({ ...settings, ...listenAt }, config).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  // The first slots of a new chain become final immediately, so that there is a past to read.
  if (chain.slot < SANDBOX_FIRST_SLOT + FINALITY_SLOTS) chain.advanceSlots(FINALITY_SLOTS);
  const note: ChainNote = { pid: process.pid, rpcUrl: chain.rpcUrl };
  await writeFile(noteFile(folder), JSON.stringify(note), { mode: 0o600 });
  await writeFile(portFile(folder), new URL(chain.rpcUrl).port, { mode: 0o600 });
  return {
    chain,
    async stop() {
      await rm(noteFile(folder), { force: true });
      await chain.stop();
      await release();
    },
  };
}

type StartOptions = SandboxChainOptions & { stateFolder: string };

/** Wallets and programs that have its address find it again after a restart. */
async function startAt(options: StartOptions, { SANDBOX_RPC_PORT: set }: Config): Promise<SandboxChain> {
  if (options.port !== undefined) return startSandboxChain(options);
  const place = { host: '127.0.0.1', port: set, setting: 'SANDBOX_RPC_PORT' } as const;
  if (set !== 0)
    return startSandboxChain({ ...options, port: set }).catch((error) => refuse(causeOf(error), place));
  const port = Number(await readFile(portFile(options.stateFolder), 'utf8').catch(() => 0));
  return startSandboxChain({ ...options, port }).catch((error) => {
    if (port === 0 || causeOf(error).code !== 'EADDRINUSE') throw error;
    return startSandboxChain(options);
  });
}

const causeOf = (error: Error) => (error.cause ?? error) as NodeJS.ErrnoException;

async function lockChain(config: Config, folder: string, purpose: Purpose): Promise<() => Promise<void>> {
  if (folder === chainFolder(config)) await ensurePrivateFolder(config.FLORIN_DATA);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return lockDataFolder(folder, purpose).catch((error: unknown) => {
    if (!(error instanceof DataFolderInUse)) throw error;
    throw new Error(
      `process ${error.holder.pid} already runs the sandbox chain in ${folder}: let every process use that one, with SOLANA_RPC_URLS (see ${COMMAND} sandbox-chain --help), or give the role watcher to one process only`,
    );
  });
}

/** Finds the sandbox's node for a command: that of the running service, or one started for the moment. Undefined: there is no ledger here. */
export async function openOwnChain(
  config: Config,
  db: Database,
): Promise<{ rpcUrl: string; close(): Promise<void> } | undefined> {
  const running = await findRunning(config);
  if (running) return { rpcUrl: running.rpcUrl, close: async () => {} };
  if (!existsSync(join(chainFolder(config), 'ledger.log'))) return undefined;
  const folder = chainFolder(config);
  const release = await lockChain(config, folder, 'command');
  const clock = systemClock();
  await followClock(db, clock);
  const chain = await startSandboxChain({
    stateFolder: folder,
    slotMs: 0,
    now: () => clock.now(),
  });
  return { rpcUrl: chain.rpcUrl, close: () => chain.stop().finally(release) };
}

/** A process that was killed leaves its note behind. */
async function findRunning(config: Config): Promise<ChainNote | undefined> {
  const text = await readFile(noteFile(chainFolder(config)), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const note = readNote(text);
  return note && isAlive(note.pid) && (await answers(note.rpcUrl)) ? note : undefined;
}

function readNote(text: string): ChainNote | undefined {
  try {
    const { pid, rpcUrl } = JSON.parse(text) as Partial<ChainNote>;
    return typeof pid === 'number' && typeof rpcUrl === 'string' ? { pid, rpcUrl } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const ANSWER_WITHIN_MS = 2_000;

async function answers(rpcUrl: string): Promise<boolean> {
  const request = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
  return fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).then(
    (response) => response.ok,
    () => false,
  );
}
