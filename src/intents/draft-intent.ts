import { newReferenceAddress } from '../platform/lib/base58.ts';
import { addMinutes } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import { newId } from '../platform/lib/ids.ts';
import { NO_METADATA } from '../platform/lib/metadata.ts';
import type { Cents } from '../platform/lib/money.ts';
import type { Intent } from './intent.ts';

export interface DraftIntent {
  merchantId: string;
  /** Filled in before it is stored, where it is not known yet. */
  orderId?: string;
  amountCents?: Cents;
  terminalId: string | null;
  payoutAddress: string | null;
  createdAt: Date;
  lifeMinutes: number;
}

/** A new intent of its own, without a session. */
export function draftIntent(input: DraftIntent): Intent {
  const { payoutAddress, createdAt } = input;
  if (payoutAddress === null) {
    throw new AppError('INVALID_STATE', { message: 'Set a payout address before you request payments.' });
  }
  return {
    id: newId(createdAt),
    merchantId: input.merchantId,
    orderId: input.orderId ?? null,
    sessionOrderingKey: null,
    terminalId: input.terminalId,
    expectedAmountCents: input.amountCents ?? 0n,
    receivedBaseUnits: 0n,
    waivedBaseUnits: 0n,
    referenceAddress: newReferenceAddress(),
    destinationAddress: payoutAddress,
    status: 'pending',
    txSignature: null,
    paidVia: null,
    payerAddress: null,
    isRefunding: false,
    isWithdrawn: false,
    metadata: NO_METADATA,
    statusWithoutPayment: 'pending',
    sequence: 0,
    createdAt,
    expiresAt: addMinutes(createdAt, input.lifeMinutes),
    succeededAt: null,
  };
}
