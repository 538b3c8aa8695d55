import type { Address } from '@solana/kit';

/** Test functions that only a sandbox chain offers: giving away test money and ending its slots. */
export interface ChainControls {
  /** Sends an owner enough SOL for thousands of transactions. */
  fund(owner: Address): Promise<unknown>;
  /** Gives USDC, making the owner's token account if there is none. */
  mintTo(owner: Address, baseUnits: bigint): Promise<unknown>;
  /** Opens so many slots; the last ones are of the service's present time. */
  advanceSlots(count: number): void | Promise<void>;
}
