import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';

/** Returns the reason why a list that has ended may lack something: the node needs to have everything since `needed`. */
export async function problemOfEnd(
  node: ChainNode,
  atSlot: number,
  needed: Date,
): Promise<string | undefined> {
  const horizon = await node.horizon(atSlot);
  const isShort = horizon !== undefined && horizon.slot > 0 && horizon.time > needed;
  return isShort ? `the node has nothing from before ${horizon.time.toISOString()}` : undefined;
}

export function unnamedEntries(count: number): string {
  return `the node lists ${count} entries that name no transaction`;
}

/** Answers with the problem of what is listed: what it returns, or why the node failed. */
export async function problemWith(list: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof RpcFailure) return error.message;
    throw error;
  }
}
