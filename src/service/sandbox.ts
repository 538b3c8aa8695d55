import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxChain } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import type { Rpc } from '../chain/solana/rpc.ts';
import type { Config } from '../config/config.ts';
import { readBalance } from '../payments/sponsor/create-sponsor.ts';
import type { Clock } from '../platform/lib/clock.ts';
import type { Scheduler } from '../platform/lib/scheduler.ts';
import type { ChainControls } from '../sandbox/chain-controls.ts';
import { remoteChain } from '../sandbox/remote-chain.ts';

/** Gifts of the sandbox to the fee payer and to merchants, so that nobody has to fetch test money first. */
export interface Gifts {
  /** Gives test SOL to an address that has little. */
  fund(address: string): Promise<void>;
  /** Makes an owner's token account, as their first payment would; false where the node gives nothing away. */
  createAccount(owner: string): Promise<boolean>;
}

/** The sandbox's side of the chain, wherever that runs. */
export interface Sandbox {
  controls: ChainControls;
  gifts: Gifts;
  /** Resolves when it has stopped, some time after the signal. */
  ended: Promise<unknown>;
}

/** The chain runs in this process. */
export function ownSandbox(chain: SandboxChain, rpc: Rpc): Sandbox {
  return { controls: chain, gifts: giftsOf(chain, rpc), ended: Promise.resolve() };
}

const TELL_TIME_MS = 1_000;
const RETRY_MS = 2_000;

/** The chain runs in another process; undefined where its address is not known. It may come and go at any time. */
export function remoteSandbox(
  { config, clock }: { config: Config; clock: Clock },
  rpc: Rpc,
  scheduler: Scheduler,
): Sandbox | undefined {
  if (config.FLORIN_NETWORK !== 'sandbox' || rpc.nodeCount === 0) return undefined;
  const chain = remoteChain(rpc, clock);
  const gifts = giftsOf(chain, rpc);
  const underWay: Promise<void>[] = [];
  if (config.FLORIN_ROLES.includes('watcher')) keepTellingTime(chain.tellTime, scheduler);
  return {
    controls: chain,
    gifts: {
      async fund(owner) {
        underWay.push(
          untilDone(async () => {
            if (await chain.isSandboxChain()) await gifts.fund(owner);
          }, scheduler.signal),
        );
      },
      createAccount: async (owner) => (await chain.isSandboxChain()) && gifts.createAccount(owner),
    },
    get ended() {
      return Promise.all(underWay);
    },
  };
}

const LOW_LAMPORTS = 1_000_000_000n;

function giftsOf(chain: ChainControls, rpc: Rpc): Gifts {
  return {
    async fund(owner) {
      if ((await readBalance(rpc, owner)) < LOW_LAMPORTS) await chain.fund(address(owner));
    },
    async createAccount(owner) {
      await chain.mintTo(address(owner), 0n);
      return true;
    },
  };
}

/** Again and again, because the chain forgets it when it is restarted. What its node answers is on record elsewhere. */
function keepTellingTime(tellTime: () => Promise<void>, scheduler: Scheduler): void {
  scheduler.start({ name: 'tell the chain its time', everyMs: TELL_TIME_MS, run: tellTime, failed() {} });
}

async function untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isDone = await work().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
