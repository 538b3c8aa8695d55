import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import {
  RpcBadParams,
  RpcFailure,
  RpcNotFound,
  RpcRefusal,
  RpcUnreadable,
} from '../../chain/solana/rpc-failure.ts';

/** Thrown where a comparison was to stop. */
export class Interrupted extends Error {}

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
/** Answers of a node that is well: it would give the same one again. */
const CONSIDERED = [RpcRefusal, RpcBadParams, RpcNotFound, RpcUnreadable];

/**
 * A node that is asked again after a while if it fails, because one failure must not spoil a comparison of an hour; one that
 * keeps failing is asked once, until it answers. After the signal it is asked nothing more.
 */
export function patientNode(node: ChainNode, signal: AbortSignal | undefined): ChainNode {
  let isLost = false;

  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    for (let failures = 0; ; failures++) {
      if (signal?.aborted) throw new Interrupted();
      try {
        const answer = await question();
        isLost = false;
        return answer;
      } catch (error) {
        if (!(error instanceof RpcFailure) || CONSIDERED.some((kind) => error instanceof kind)) throw error;
        isLost ||= failures === PAUSES_MS.length;
        if (isLost) throw error;
        await sleep(PAUSES_MS[failures], undefined, { signal }).catch(() => {});
      }
    }
  }

  return {
    ...node,
    finalSlot: () => ask(() => node.finalSlot()),
    horizon: (atSlot) => ask(() => node.horizon(atSlot)),
    signatures: (account, options) => ask(() => node.signatures(account, options)),
    transaction: (signature, commitment) => ask(() => node.transaction(signature, commitment)),
  };
}
