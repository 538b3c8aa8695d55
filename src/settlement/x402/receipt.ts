import type { Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { ERRORS, NETWORK_IDS, type SettleResponse } from './protocol.ts';
import { findReceipt } from './queries.ts';

/** What PAYMENT-RESPONSE and a facilitator's answer say. */
export function settleResponse({ network }: X402Parts, outcome: Outcome): SettleResponse {
  const { payer, signature: transaction } = outcome;
  const common = { payer, transaction, network: NETWORK_IDS[network] };
  if (outcome.kind === 'paid') return { success: true, ...common };
  if (outcome.kind === 'pending')
    return { success: false, errorReason: ERRORS.pending, errorMessage: PENDING, ...common };
  return { success: false, errorReason: outcome.reason, errorMessage: outcome.message, ...common };
}

export const PENDING =
  'The payment was sent and its outcome is not known yet. Send the same PAYMENT-SIGNATURE again; do not sign another.';

/** The body of a paid answer. */
export async function readReceipt(parts: X402Parts, outcome: Outcome & { kind: 'paid' }) {
  const { merchantId, intentId, payer, signature } = outcome;
  const row = (await findReceipt(parts.db, merchantId, intentId))!;
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
  };
}
