import type { Intent } from '../../money/intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { findSponsored } from '../sponsor/queries.ts';
import type { Sponsored } from '../sponsor/sponsor.ts';
import type { SettleAt, X402Parts } from './parts.ts';
import { ERRORS } from './protocol.ts';
import { findPayingSignature } from './queries.ts';

/** How a payment came out, as far as anybody can know by now. */
export type Outcome =
  | {
      kind: 'paid';
      merchantId: string;
      intentId: string;
      payer: string;
      signature: string;
      /** Whose signed payment was sent here, even if another one paid: only they get what belongs to the buyer alone. */
      presentedBy?: string;
    }
  | { kind: 'pending'; payer: string; signature: string }
  | {
      kind: 'refused';
      reason: string;
      message: string;
      payer: string;
      signature: string;
      /** Fees are no longer paid, so what was offered a moment ago is not offered any more. */
      isOfferOver?: boolean;
    };

/** Waits until a transaction is as far as wanted. What is not known in time is pending: never "not paid". */
export async function awaitOutcome(parts: X402Parts, sent: Sponsored, settleAt: SettleAt): Promise<Outcome> {
  const { merchantId, intentId, payer, signature } = sent;
  const paid: Outcome = { kind: 'paid', merchantId, intentId, payer, signature };
  const untilMs = elapsedMs() + parts.settleWaitMs;
  for (let now: Sponsored | undefined = sent; ; now = await findSponsored(parts.db, signature)) {
    if (now?.state === 'landed') return now.hasFailed ? failed(payer, signature) : paid;
    if (now?.state === 'dropped') return lapsed(payer, signature);
    const leftMs = untilMs - elapsedMs();
    if (leftMs <= 0) return { kind: 'pending', payer, signature };
    const landing = await parts.landings.landing(signature, settleAt, Math.min(leftMs, LOOK_EVERY_MS));
    if (landing === 'failed') return failed(payer, signature);
    if (landing !== 'unknown') return paid;
  }
}

/** How often it is asked whether the transaction was given up. */
const LOOK_EVERY_MS = 1_000;

function lapsed(payer: string, signature: string): Outcome {
  const message = 'The transaction lapsed before the network took it; nothing was paid.';
  return { kind: 'refused', reason: ERRORS.failed, message, payer, signature };
}

function failed(payer: string, signature: string): Outcome {
  const message = 'The transaction failed on chain; nothing was paid.';
  return { kind: 'refused', reason: ERRORS.failed, message, payer, signature };
}

export function presentedBy(outcome: Outcome, payer: string): Outcome {
  return outcome.kind === 'paid' ? { ...outcome, presentedBy: payer } : outcome;
}

/** The outcome of an intent that was paid in another way; pending until that is as final as wanted. */
export async function findPaidOutcome(
  db: Queryable,
  intent: Intent,
  settleAt: SettleAt,
): Promise<Outcome | undefined> {
  const { status, merchantId, id: intentId, txSignature, payerAddress } = intent;
  if (status !== 'processing' && status !== 'succeeded') return undefined;
  // An intent names its transaction once that is final.
  const signature = txSignature ?? (await findPayingSignature(db, intent)) ?? '';
  const payer = payerAddress ?? '';
  const isPaid = status === 'succeeded' || settleAt === 'confirmed';
  return isPaid
    ? { kind: 'paid', merchantId, intentId, payer, signature }
    : { kind: 'pending', payer, signature };
}
