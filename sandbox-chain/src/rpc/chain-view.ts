import type { Chain } from '../ledger/chain.ts';
import { slotAt } from '../ledger/commitment.ts';
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './rpc-error.ts';
import { type Config, commitmentIn, optionalInteger } from './rpc-params.ts';

export const API_VERSION = '3.0.0';

/** The chain as one call sees it: up to a slot, which is some slots back on a lagging node. */
export class ChainView {
  readonly chain: Chain;
  readonly lagSlots: number;
  readonly openSlot: number;

  constructor(chain: Chain, lagSlots = 0) {
    this.chain = chain;
    this.lagSlots = lagSlots;
    this.openSlot = chain.slots.slot - lagSlots;
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
