import {
  getSetComputeUnitLimitInstructionDataDecoder,
  getSetComputeUnitPriceInstructionDataDecoder,
  SET_COMPUTE_UNIT_LIMIT_DISCRIMINATOR,
  SET_COMPUTE_UNIT_PRICE_DISCRIMINATOR,
} from '@solana-program/compute-budget';

/** Limit and price that a transaction offers to be put first in a block. */
export interface ComputeBudget {
  /** Null: not stated. */
  unitLimit: number | null;
  microLamportsPerUnit: bigint | null;
}

const unitLimit = getSetComputeUnitLimitInstructionDataDecoder();
const unitPrice = getSetComputeUnitPriceInstructionDataDecoder();

/** Adds one instruction of the compute budget program; undefined where it is another one, longer, or comes twice. */
export function addToBudget(budget: ComputeBudget, data: Uint8Array): ComputeBudget | undefined {
  const isLimit = data[0] === SET_COMPUTE_UNIT_LIMIT_DISCRIMINATOR && data.length === unitLimit.fixedSize;
  if (isLimit && budget.unitLimit === null) return { ...budget, unitLimit: unitLimit.decode(data).units };
  const isPrice = data[0] === SET_COMPUTE_UNIT_PRICE_DISCRIMINATOR && data.length === unitPrice.fixedSize;
  if (isPrice && budget.microLamportsPerUnit === null)
    return { ...budget, microLamportsPerUnit: unitPrice.decode(data).microLamports };
  return undefined;
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO = 1_000_000n;

/** Null: the priority fee depends on a limit that is not stated. */
export function priorityFee({ unitLimit, microLamportsPerUnit }: ComputeBudget): bigint | null {
  if (!microLamportsPerUnit) return 0n;
  if (unitLimit === null) return null;
  return (BigInt(unitLimit) * microLamportsPerUnit + MICRO - 1n) / MICRO;
}

export function signatureFee(signatures: number): bigint {
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures);
}
