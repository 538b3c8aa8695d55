import { blockhashOf, SANDBOX_GENESIS_HASH, SLOTS_PER_EPOCH } from '../ledger/genesis.ts';
import { heightOf, MAX_BLOCKHASH_AGE } from '../ledger/slots.ts';
import { API_VERSION, asOf } from './chain-view.ts';
import type { RpcMethods } from './rpc-call.ts';
import { BLOCK_CLEANED_UP, invalidParams, NODE_UNHEALTHY, RpcError, SLOT_NOT_STORED } from './rpc-error.ts';
import { configParam, integerParam, stringParam, toAddress } from './rpc-params.ts';

/** A node further behind than this says so. */
const HEALTHY_LAG_SLOTS = 128;
const MAX_PRIORITIZATION_KEYS = 128;

/** Methods about the node itself, its slots and its time. */
export const clusterMethods: RpcMethods = {
  getLatestBlockhash(params, { view }) {
    const slot = view.slotFor(configParam(params, 0));
    return asOf(slot, latestBlockhash(slot));
  },

  isBlockhashValid(params, { chain, view }) {
    const blockhash = toAddress(stringParam(params, 0));
    const slot = view.slotFor(configParam(params, 1));
    return asOf(slot, chain.slots.isRecent(blockhash, slot));
  },

  getSlot: (params, { view }) => view.slotFor(configParam(params, 0)),

  getBlockHeight: (params, { view }) => heightOf(view.slotFor(configParam(params, 0))),

  getBlockTime(params, { chain, view }) {
    const slot = integerParam(params, 0);
    const first = view.kept.firstSlot;
    if (slot < first)
      throw new RpcError(
        BLOCK_CLEANED_UP,
        `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
      );
    const stored = slot <= view.openSlot && (view.kept.isLocal(slot) || view.kept.isArchived(slot));
    const time = stored ? (chain.slots.blockTime(slot) ?? chain.ledger.blockTime(slot)) : undefined;
    if (time === undefined)
      throw new RpcError(SLOT_NOT_STORED, `Slot ${slot} was skipped, or missing in long-term storage`);
    return time;
  },

  getFirstAvailableBlock: (_params, { view }) => view.kept.firstSlot,

  minimumLedgerSlot: (_params, { view }) => view.kept.firstLocalSlot,

  getEpochInfo(params, { chain, view }) {
    const slot = view.slotFor(configParam(params, 0));
    return {
      absoluteSlot: slot,
      blockHeight: heightOf(slot),
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: chain.ledger.size,
    };
  },

  getGenesisHash: () => SANDBOX_GENESIS_HASH,

  getHealth(_params, { view }) {
    if (view.lagSlots <= HEALTHY_LAG_SLOTS) return 'ok';
    throw new RpcError(NODE_UNHEALTHY, `Node is behind by ${view.lagSlots} slots`, {
      numSlotsBehind: view.lagSlots,
    });
  },

  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),

  getRecentPrioritizationFees(params, { view }) {
    const keys = params[0] ?? [];
    if (!Array.isArray(keys)) throw invalidParams('Invalid params: invalid type, expected an array.');
    if (keys.length > MAX_PRIORITIZATION_KEYS)
      throw invalidParams(`Too many inputs provided; max ${MAX_PRIORITIZATION_KEYS}`);
    keys.forEach(toAddress);
    // Every transaction finds room here, so nobody has to pay for being preferred.
    const oldest = view.openSlot - MAX_BLOCKHASH_AGE;
    return Array.from({ length: MAX_BLOCKHASH_AGE }, (_, i) => ({ prioritizationFee: 0, slot: oldest + i }));
  },
};

export function latestBlockhash(slot: number) {
  return { blockhash: blockhashOf(slot), lastValidBlockHeight: heightOf(slot) + MAX_BLOCKHASH_AGE };
}
