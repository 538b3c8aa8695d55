import { checkGenesis, checkNode } from '../../chain/solana/check-network.ts';
import type { Network } from '../../chain/solana/network.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';

export interface NodeNetworks {
  isChecked(node: number): boolean;
  /** Believes a node that shows to be on the right network; otherwise says why not. */
  check(node: number): Promise<'checked' | 'unanswered' | Error>;
  /** Asks a node for its network again. RpcFailure: it does not say, or is on another one, and is no longer believed. */
  confirm(node: number): Promise<void>;
}

/** Nodes that are on the right network. `onLost`: one that was is on another one now. */
export function nodeNetworks(
  { rpc, network, mint }: { rpc: Rpc; network: Network; mint: string },
  onLost: (node: number, reason: Error) => void,
): NodeNetworks {
  const checked = new Set<number>();
  /** Genesis hash of each, as it was first: the only way to tell a sandbox from another one. */
  const genesisOf = new Map<number, string>();
  return {
    isChecked: (node) => checked.has(node),
    async check(node) {
      try {
        genesisOf.set(node, await checkNode(rpc, node, network, mint, genesisOf.get(node)));
        checked.add(node);
        return 'checked';
      } catch (error) {
        return error instanceof RpcFailure ? 'unanswered' : (error as Error);
      }
    },
    async confirm(node) {
      try {
        genesisOf.set(node, await checkGenesis(rpc, node, network, genesisOf.get(node)));
      } catch (error) {
        if (error instanceof RpcFailure) throw error;
        // In a process that checks no nodes, nothing would take it back.
        if (checked.delete(node)) onLost(node, error as Error);
        throw new RpcFailure((error as Error).message);
      }
    },
  };
}
