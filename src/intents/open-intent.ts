import type { Tx } from '../db/database.ts';
import { newReferenceAddress } from '../lib/base58.ts';
import type { Cents } from '../lib/money.ts';
import { deleteIntents, insertOpenIntents } from './creation-queries.ts';
import { insertIntent } from './queries.ts';

export { deleteIntents };

export interface OpenIntent {
  id: string;
  merchantId: string;
  orderId: string | null;
  amountCents: Cents;
  destination: string;
  /** Its events are told in this lane, and only whoever owns the lane cancels it. */
  lane: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The intent of something larger, in that one's transaction. Its destination must be watched already. */
export async function openIntent(tx: Tx, input: OpenIntent): Promise<void> {
  await insertIntent(tx, {
    id: input.id,
    merchantId: input.merchantId,
    orderId: input.orderId,
    lane: input.lane,
    terminalId: null,
    expectedAmountCents: input.amountCents,
    receivedBaseUnits: 0n,
    referenceAddress: newReferenceAddress(),
    destinationAddress: input.destination,
    status: 'pending',
    txSignature: null,
    restingStatus: 'pending',
    sequence: 0,
    createdAt: input.createdAt,
    expiresAt: input.expiresAt,
    succeededAt: null,
  });
}

/** The same for many at once. */
export async function openIntents(tx: Tx, inputs: readonly OpenIntent[]): Promise<void> {
  await insertOpenIntents(
    tx,
    inputs.map((input) => ({ ...input, referenceAddress: newReferenceAddress() })),
  );
}
