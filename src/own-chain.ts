import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SANDBOX_FIRST_SLOT, type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import type { Rpc } from './chain/solana/rpc.ts';
import type { Config } from './config.ts';
import { DataFolderInUse, lockDataFolder, type Purpose } from './platform/db/data-folder-lock.ts';
import type { Database } from './platform/db/database.ts';
import { ensurePrivateFolder } from './platform/db/private-folder.ts';
import { type Clock, systemClock } from './platform/lib/clock.ts';
import { followClock } from './settlement/sandbox/move-clock.ts';
import { readBalance } from './settlement/sponsor/create-sponsor.ts';

/** Enough slots for whatever carries the new time to become final. */
export const FINALITY_SLOTS = 40;

/** Left beside the ledger while the chain runs, for commands to find it. */
interface ChainNote {
  pid: number;
  rpcUrl: string;
}

const chainFolder = (config: Config) => join(config.FLORIN_DATA, 'chain');
const noteFile = (config: Config) => join(chainFolder(config), 'running.json');

export interface OwnChain {
  chain: SandboxChain;
  stop(): Promise<void>;
}

/** The sandbox's chain inside the service. Two processes would write two histories into one ledger: the second is refused. */
export async function startOwnChain(config: Config, clock: Clock): Promise<OwnChain> {
  const release = await lockChain(config, 'service');
  const chain = await startSandboxChain({
    stateFolder: chainFolder(config),
    slotMs: config.SANDBOX_SLOT_MS,
    now: () => clock.now(),
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  // The first slots of a new chain become final immediately, so that there is a past to read.
  if (chain.slot < SANDBOX_FIRST_SLOT + FINALITY_SLOTS) chain.advanceSlots(FINALITY_SLOTS);
  const note: ChainNote = { pid: process.pid, rpcUrl: chain.rpcUrl };
  await writeFile(noteFile(config), JSON.stringify(note), { mode: 0o600 });
  return {
    chain,
    async stop() {
      await rm(noteFile(config), { force: true });
      await chain.stop();
      await release();
    },
  };
}

async function lockChain(config: Config, purpose: Purpose): Promise<() => Promise<void>> {
  await ensurePrivateFolder(config.FLORIN_DATA);
  await mkdir(chainFolder(config), { recursive: true, mode: 0o700 });
  return lockDataFolder(chainFolder(config), purpose).catch((error: unknown) => {
    if (!(error instanceof DataFolderInUse)) throw error;
    throw new Error(
      `process ${error.holder.pid} already runs the sandbox chain in ${chainFolder(config)}: give the role watcher to one process only, or let all of them use one node with SOLANA_RPC_URLS`,
    );
  });
}

const LOW_LAMPORTS = 1_000_000_000n;

/** What the sandbox gives away to the fee payer and to merchants, so that nobody has to fetch test money first. */
export function generosity(chain: SandboxChain, rpc: Rpc) {
  return {
    async fund(owner: string): Promise<void> {
      if ((await readBalance(rpc, owner)) < LOW_LAMPORTS) await chain.fund(address(owner));
    },
    createAccount: (owner: string) => chain.mintTo(address(owner), 0n),
  };
}

/** Finds the sandbox's node for a command: that of the running service, or one started for the moment. Undefined: there is no ledger here. */
export async function openOwnChain(
  config: Config,
  db: Database,
): Promise<{ rpcUrl: string; close(): Promise<void> } | undefined> {
  const running = await findRunning(config);
  if (running) return { rpcUrl: running.rpcUrl, close: async () => {} };
  if (!existsSync(join(chainFolder(config), 'ledger.log'))) return undefined;
  const release = await lockChain(config, 'command');
  const clock = systemClock();
  await followClock(db, clock);
  const chain = await startSandboxChain({
    stateFolder: chainFolder(config),
    slotMs: 0,
    now: () => clock.now(),
  });
  return { rpcUrl: chain.rpcUrl, close: () => chain.stop().finally(release) };
}

/** A process that was killed leaves its note behind. */
async function findRunning(config: Config): Promise<ChainNote | undefined> {
  const text = await readFile(noteFile(config), 'utf8').catch(() => undefined);
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
