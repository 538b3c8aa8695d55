import type { Chain } from '../ledger/chain.ts';
import { slotAt } from '../ledger/commitment.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { KeptHistory } from './kept-history.ts';
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './rpc-error.ts';
import { type Config, commitmentIn, optionalInteger } from './rpc-params.ts';

export const API_VERSION = '4.0.0';

/** Parts of the chain that a node lacks, in slots. */
export interface Shortcomings {
  lagSlots?: number;
  /** Its own ledger goes back so far; absent: to the beginning. */
  keptSlots?: number | undefined;
  /** Its long-term storage is so far behind; absent: it has none. */
  archiveLagSlots?: number | undefined;
}

/** The chain as one call sees it: up to a slot, which is some slots back on a lagging node, and as far back as it keeps. */
export class ChainView {
  readonly chain: Chain;
  readonly lagSlots: number;
  readonly openSlot: number;
  readonly kept: KeptHistory;

  constructor(chain: Chain, { lagSlots = 0, keptSlots, archiveLagSlots }: Shortcomings = {}) {
    this.chain = chain;
    this.lagSlots = lagSlots;
    this.openSlot = chain.slots.slot - lagSlots;
    this.kept = new KeptHistory({
      firstLocalSlot: keptSlots === undefined ? 0 : Math.max(0, this.openSlot - keptSlots),
      archivedThrough: archiveLagSlots === undefined ? undefined : this.openSlot - archiveLagSlots,
    });
  }

  /** Undefined for what this node has not seen yet, or no longer has. */
  find(signature: string): LedgerEntry | undefined {
    const entry = this.chain.ledger.find(signature);
    return this.kept.has(entry) && entry.slot <= this.openSlot ? entry : undefined;
  }

  /** The slot to read at for the call's commitment, if it is as far as the caller insists on. */
  slotFor(config: Config, commitmentKey = 'commitment'): number {
    const slot = slotAt(commitmentIn(config, commitmentKey), this.openSlot);
    const least = optionalInteger(config, 'minContextSlot');
    if (least !== undefined && slot < least)
      throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
        contextSlot: slot,
      });
    return slot;
  }
}

/** The usual envelope of an answer that holds as of a slot. */
export function asOf<Value>(slot: number, value: Value) {
  return { context: { apiVersion: API_VERSION, slot }, value };
}
