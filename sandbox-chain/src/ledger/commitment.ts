/** How sure a reader wants to be, by how many slots have come on top. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

export const CONFIRMED_AFTER_SLOTS = 2;
export const FINALIZED_AFTER_SLOTS = 32;

const DEPTH: Record<Commitment, number> = {
  processed: 0,
  confirmed: CONFIRMED_AFTER_SLOTS,
  finalized: FINALIZED_AFTER_SLOTS,
};

/** The newest slot that has the commitment while `slot` is the open one. */
export function slotAt(commitment: Commitment, slot: number): number {
  return slot - DEPTH[commitment];
}

export function isCommitment(value: unknown): value is Commitment {
  return typeof value === 'string' && Object.hasOwn(DEPTH, value);
}

export function commitmentOf(landedSlot: number, openSlot: number): Commitment {
  const depth = openSlot - landedSlot;
  if (depth >= FINALIZED_AFTER_SLOTS) return 'finalized';
  return depth >= CONFIRMED_AFTER_SLOTS ? 'confirmed' : 'processed';
}
