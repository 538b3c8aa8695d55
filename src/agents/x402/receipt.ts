import { setTimeout as sleep } from 'node:timers/promises';
import { customerIdOf } from '../../payments/offers/sale.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import type { Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import type { Place } from './place.ts';
import { ERRORS, NETWORK_IDS, type SettleResponse } from './protocol.ts';
import { findReceipt, type ReceiptRow } from './queries.ts';

type Paid = Outcome & { kind: 'paid' };

/** Returns the outcome as PAYMENT-RESPONSE and a facilitator's answer give it. */
export function settleResponse({ network }: X402Parts, outcome: Outcome): SettleResponse {
  const { payer, signature: transaction } = outcome;
  const common = { payer, transaction, network: NETWORK_IDS[network] };
  if (outcome.kind === 'paid') return { success: true, ...common };
  if (outcome.kind === 'pending')
    return { success: false, errorReason: ERRORS.pending, errorMessage: PENDING, ...common };
  return { success: false, errorReason: outcome.reason, errorMessage: outcome.message, ...common };
}

export const PENDING =
  'A payment for this is under way and its outcome is not known yet. Send the same PAYMENT-SIGNATURE again; do not sign another.';

/**
 * The body of a paid answer. Undefined while credits that were bought are not there yet: a program that tried to spend
 * them would be told to buy more.
 */
export async function readReceipt(parts: X402Parts, outcome: Paid, place: Place) {
  const { merchantId, intentId, payer, signature } = outcome;
  const row = await awaitReceipt(parts, outcome, place);
  if (!row) return undefined;
  return {
    status: 'paid',
    paymentIntentId: intentId,
    checkoutSessionId: row.checkoutSessionId,
    invoiceId: row.invoiceId,
    amountCents: Number(row.amountCents),
    transaction: signature,
    network: NETWORK_IDS[parts.network],
    payer: payer || null,
    receiptUrl: row.checkoutUrl ?? `${parts.publicUrl()}/intents/${intentId}`,
    ...(isOfCredits(place, row) && {
      creditAmount: Number(row.creditAmount),
      ...(isBuyer(outcome, row) && {
        creditToken: await parts.issueCreditToken({
          ...{ merchantId, customerId: row.customerId! },
          ...{ completedAt: row.completedAt!, isRefunded: row.isRefunded },
        }),
      }),
    }),
  };
}

const LOOK_EVERY_MS = 100;

async function awaitReceipt(
  { db, settleWaitMs }: X402Parts,
  { merchantId, intentId }: Paid,
  place: Place,
): Promise<ReceiptRow | undefined> {
  const untilMs = elapsedMs() + settleWaitMs;
  for (;;) {
    const row = (await findReceipt(db, merchantId, intentId))!;
    if (!isOfCredits(place, row) || row.sessionStatus === 'complete') return row;
    if (elapsedMs() >= untilMs) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}

function isOfCredits(place: Place, { creditAmount }: ReceiptRow): boolean {
  return place.kind === 'sale' && place.hasCreditTokens === true && creditAmount !== null;
}

/** True if the wallet is the buyer: several wallets may use one payment identifier, but the credits belong to one. */
function isBuyer({ presentedBy, signature }: Paid, { customerId, externalCustomerId }: ReceiptRow): boolean {
  if (presentedBy === undefined || customerId === null) return false;
  // If no single wallet signed, the transaction counts as the buyer.
  return [presentedBy, signature].some((buyer) => externalCustomerId === customerIdOf(buyer));
}
