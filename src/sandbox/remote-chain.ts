import { SANDBOX_GENESIS_HASH } from '@florin/sandbox-chain';
import type { Rpc } from '../chain/solana/rpc.ts';
import { text } from '../chain/solana/shapes.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { ChainControls } from './chain-controls.ts';

export interface RemoteChain extends ChainControls {
  /** A node of another kind, such as a test validator, has no controls. */
  isSandboxChain(): Promise<boolean>;
  /** Tells the chain the service's time, which its machine does not know. */
  tellTime(): Promise<void>;
}

const LAMPORTS = 10_000_000_000n;

/** A sandbox chain in another process, by its RPC address. */
export function remoteChain(rpc: Rpc, clock: Clock): RemoteChain {
  let known: boolean | undefined;

  async function isSandboxChain(): Promise<boolean> {
    known ??= await rpc.ask(
      'getGenesisHash',
      [],
      (value) => text(value, 'genesis hash') === SANDBOX_GENESIS_HASH,
    );
    return known;
  }

  async function give(method: string, owner: string, amount: bigint): Promise<string> {
    if (!(await isSandboxChain()))
      throw new AppError('INVALID_STATE', {
        message: 'The node in SOLANA_RPC_URLS is not a sandbox chain, so it has no test money.',
      });
    return rpc.ask(method, [owner, amount], (value) => text(value, 'signature'));
  }

  async function tellTime(): Promise<void> {
    if (await isSandboxChain()) await rpc.ask('sandbox_setTime', [clock.now().getTime()], () => {});
  }

  return {
    isSandboxChain,
    tellTime,
    fund: (owner) => give('requestAirdrop', owner, LAMPORTS),
    mintTo: (owner, baseUnits) => give('sandbox_mintTo', owner, baseUnits),
    async advanceSlots(count) {
      await tellTime();
      if (await isSandboxChain()) await rpc.ask('sandbox_advanceSlots', [count], () => {});
    },
  };
}
