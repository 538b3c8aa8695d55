/** Limit and price that a transaction offers to be put first in a block. */
export interface ComputeBudget {
  /** Null: not stated. */
  unitLimit: number | null;
  microLamportsPerUnit: bigint | null;
}

const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

/** Adds one instruction of the compute budget program; undefined where it is another one, or comes twice. */
export function addToBudget(budget: ComputeBudget, data: Uint8Array): ComputeBudget | undefined {
  const bytes = Buffer.from(data);
  if (bytes.length === 5 && bytes[0] === SET_UNIT_LIMIT && budget.unitLimit === null)
    return { ...budget, unitLimit: bytes.readUInt32LE(1) };
  if (bytes.length === 9 && bytes[0] === SET_UNIT_PRICE && budget.microLamportsPerUnit === null)
    return { ...budget, microLamportsPerUnit: bytes.readBigUInt64LE(1) };
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
