import type { Tx } from '../platform/db/database.ts';
import { newReferenceAddress } from '../platform/lib/base58.ts';
import type { Metadata } from '../platform/lib/metadata.ts';
import type { Cents } from '../platform/lib/money.ts';
import { deleteIntents } from './creation-queries.ts';
import type { Intent } from './intent.ts';
import { showOnTerminal } from './show-on-terminal.ts';
import { storeNewIntents } from './store-new-intents.ts';

export { deleteIntents };

export interface NewIntent {
  id: string;
  merchantId: string;
  orderId: string | null;
  amountCents: Cents;
  destination: string;
  /** Its events are delivered under this ordering key, and only the key's owner cancels it. */
  orderingKey: string;
  metadata: Metadata;
  createdAt: Date;
  expiresAt: Date;
  /** A new one by default. */
  referenceAddress?: string;
  /** Terminal that shows it; not for many at once. */
  terminalId?: string;
}

/** The intent of a session, in the session's transaction. Its destination must already be watched. */
export async function createIntent(tx: Tx, input: NewIntent): Promise<void> {
  const intent = newIntent(input);
  if (input.terminalId) await showOnTerminal(tx, intent, input.terminalId, intent.createdAt);
  else await storeNewIntents(tx, [intent]);
}

function newIntent(input: NewIntent): Intent {
  return {
    id: input.id,
    merchantId: input.merchantId,
    orderId: input.orderId,
    sessionOrderingKey: input.orderingKey,
    terminalId: input.terminalId ?? null,
    expectedAmountCents: input.amountCents,
    receivedBaseUnits: 0n,
    waivedBaseUnits: 0n,
    referenceAddress: input.referenceAddress ?? newReferenceAddress(),
    destinationAddress: input.destination,
    status: 'pending',
    txSignature: null,
    paidVia: null,
    payerAddress: null,
    isRefunding: false,
    isWithdrawn: false,
    metadata: input.metadata,
    statusWithoutPayment: 'pending',
    sequence: 0,
    createdAt: input.createdAt,
    expiresAt: input.expiresAt,
    succeededAt: null,
  };
}

/** The same for many. */
export async function createIntents(tx: Tx, inputs: readonly NewIntent[]): Promise<void> {
  await storeNewIntents(tx, inputs.map(newIntent));
}
