import type { Network } from '../../chain/solana/network.ts';
import type { NodeHealth } from '../../chain/solana/node-health.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { integer } from '../../chain/solana/shapes.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { nodeNetworks } from './node-networks.ts';

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
  /**
   * While it runs: nodes that could not be checked yet are, and every node is asked how far it is. The network of one that
   * is suddenly somewhere else is confirmed.
   */
  checkAgain(): Promise<void>;
  /** The same for those that have not been checked or do not answer. */
  checkUnwell(): Promise<void>;
  /** Confirms a node's network before its word that something is not there counts. RpcFailure: it is on another one now. */
  confirm(node: number): Promise<void>;
  /** The same nodes, where one that has not been checked answers nothing. */
  checkedRpc: Rpc;
}

/** A node does not move so far between two looks, unless it was away, or its address leads somewhere else. */
const MAX_LEAP_SLOTS = 1_000;
/** Looks after which the network is confirmed in any case: about ten minutes. */
const CONFIRM_EACH = 20;

/** Believes a node only after it has shown to be on the right network, and keeps an eye on whether it still answers. */
export function nodeChecks({ rpc, network, mint, health, names, log }: NodeCheckParts): NodeChecks {
  const networks = nodeNetworks({ rpc, network, mint }, refuse);
  let lastMissing = '';
  let looks = 0;
  const all = Array.from({ length: rpc.nodeCount }, (_, node) => node);

  function refuse(node: number, reason: Error): void {
    if (health.state(node) === 'refused') return;
    log.error({ node: names[node], err: reason }, 'Solana node refused');
    health.refuse(node);
  }

  async function checkLate(node: number): Promise<void> {
    const result = await networks.check(node);
    if (result === 'checked') {
      health.accept(node);
      log.warn({ node: names[node] }, 'Solana node checked; it counts toward the quorum');
    } else if (result !== 'unanswered') refuse(node, result);
  }

  async function checkOneAgain(node: number, isConfirming: boolean): Promise<void> {
    if (!networks.isChecked(node)) return checkLate(node);
    const before = health.finalSlot(node);
    const slot = await rpc.askNode(node, 'getSlot', [{ commitment: 'finalized' }], (value) =>
      integer(value, 'slot'),
    );
    const hasLeapt = before >= 0 && Math.abs(slot - before) > MAX_LEAP_SLOTS;
    if (isConfirming || hasLeapt) await networks.confirm(node);
    health.noteFinalSlot(node, slot);
  }

  const checkEach = async (nodes: readonly number[], isConfirming = false) =>
    void (await Promise.all(nodes.map((node) => checkOneAgain(node, isConfirming).catch(unanswered))));

  return {
    async checkFirst() {
      const results = await Promise.all(all.map(networks.check));
      for (const result of results) if (result instanceof Error) throw result;
      const missing = all.filter((node) => results[node] === 'unanswered').map((node) => names[node]!);
      const isWatching = all.some(networks.isChecked);
      if (missing.length > 0 && missing.join() !== lastMissing)
        log.warn(
          { nodes: missing, isWatching },
          'no Solana node answers; retrying, and nothing is watched until one does',
        );
      lastMissing = missing.join();
      return isWatching;
    },
    checkAgain: () => checkEach(all, ++looks % CONFIRM_EACH === 0),
    checkUnwell: () =>
      checkEach(all.filter((node) => !networks.isChecked(node) || health.state(node) !== 'well')),
    confirm: networks.confirm,
    checkedRpc: {
      ...rpc,
      async askNode(node, method, params, read) {
        if (!networks.isChecked(node)) throw new RpcFailure(`${method}: the node has not been checked yet`);
        return rpc.askNode(node, method, params, read);
      },
    },
  };
}

function unanswered(error: unknown): void {
  if (!(error instanceof RpcFailure)) throw error;
}
