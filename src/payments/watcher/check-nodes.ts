import { checkNode } from '../../chain/solana/check-network.ts';
import type { Network } from '../../chain/solana/network.ts';
import type { NodeHealth } from '../../chain/solana/node-health.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { integer } from '../../chain/solana/shapes.ts';
import type { Logger } from '../../platform/lib/log.ts';

export interface NodeCheckParts {
  rpc: Rpc;
  network: Network;
  mint: string;
  health: NodeHealth;
  names: readonly string[];
  log: Logger;
}

export interface NodeChecks {
  /** Checks nodes at start: true if at least one can be read. Throws if one belongs to another network. */
  checkFirst(): Promise<boolean>;
  /** While it runs: nodes that could not be checked yet are, and every node is asked how far it is. */
  checkAgain(): Promise<void>;
  /** The same for those that have not been checked or do not answer. */
  checkUnwell(): Promise<void>;
  /** The same nodes, where one that has not been checked answers nothing. */
  checkedRpc: Rpc;
}

type Result = 'checked' | 'unanswered' | Error;

/** Believes a node only after it has shown to be on the right network, and keeps an eye on whether it still answers. */
export function nodeChecks({ rpc, network, mint, health, names, log }: NodeCheckParts): NodeChecks {
  const checked = new Set<number>();
  let lastMissing = '';
  const all = Array.from({ length: rpc.nodeCount }, (_, node) => node);

  async function check(node: number): Promise<Result> {
    try {
      await checkNode(rpc, node, network, mint);
      checked.add(node);
      return 'checked';
    } catch (error) {
      return error instanceof RpcFailure ? 'unanswered' : (error as Error);
    }
  }

  async function checkOneAgain(node: number): Promise<void> {
    if (!checked.has(node)) {
      const result = await check(node);
      if (result === 'checked') {
        health.accept(node);
        log.warn({ node: names[node] }, 'Solana node checked; it counts toward the quorum');
      } else if (result !== 'unanswered' && health.state(node) !== 'refused') {
        log.error({ node: names[node], err: result }, 'Solana node refused');
        health.refuse(node);
      }
      return;
    }
    const slot = await askFinalSlot(rpc, node);
    if (slot !== undefined) health.noteFinalSlot(node, slot);
  }

  const checkEach = async (nodes: readonly number[]) => void (await Promise.all(nodes.map(checkOneAgain)));

  return {
    async checkFirst() {
      const results = await Promise.all(all.map(check));
      for (const result of results) if (result instanceof Error) throw result;
      const missing = all.filter((node) => results[node] === 'unanswered').map((node) => names[node]!);
      if (missing.length > 0 && missing.join() !== lastMissing)
        log.warn(
          { nodes: missing, isWatching: checked.size > 0 },
          'no Solana node answers; retrying, and nothing is watched until one does',
        );
      lastMissing = missing.join();
      return checked.size > 0;
    },
    checkAgain: () => checkEach(all),
    checkUnwell: () => checkEach(all.filter((node) => !checked.has(node) || health.state(node) !== 'well')),
    checkedRpc: {
      ...rpc,
      async askNode(node, method, params, read) {
        if (!checked.has(node)) throw new RpcFailure(`${method}: the node has not been checked yet`);
        return rpc.askNode(node, method, params, read);
      },
    },
  };
}

/** Undefined where the node does not answer. */
async function askFinalSlot(rpc: Rpc, node: number): Promise<number | undefined> {
  try {
    const commitment = 'finalized';
    return await rpc.askNode(node, 'getSlot', [{ commitment }], (value) => integer(value, 'slot'));
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}
