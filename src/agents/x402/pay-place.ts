import type { SponsoredTransaction } from '../../chain/fee-payer/read-sponsored.ts';
import { type ReadTransaction, readTransaction } from '../../chain/solana/read-message.ts';
import type { Intent } from '../../intents/intent.ts';
import type { PromisedIds } from '../../payments/offers/sale.ts';
import type { Caller } from '../../payments/public-payments/payment-limits.ts';
import { dueBaseUnits } from '../../payments/public-payments/read-public-intent.ts';
import { hashOf } from '../../payments/sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../../payments/sponsor/queries.ts';
import { newReferenceAddress } from '../../platform/lib/base58.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import { checkExact } from './check-exact.ts';
import { saleOfferText } from './offer-text.ts';
import { awaitOutcome, findPaidOutcome, type Outcome, ofPayer, usedElsewhere } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import {
  defaultSettleAt,
  type IntentPlace,
  type OpenSale,
  type Place,
  requireOfferable,
  requireSponsored,
  type SalePlace,
  settleAtOf,
} from './place.ts';
import {
  ERRORS,
  isRefusal,
  NETWORK_IDS,
  type PaymentPayload,
  type PaymentRequirements,
  type Refusal,
  SCHEME,
} from './protocol.ts';
import { orderKeyOf } from './purpose.ts';
import {
  isOurs,
  OFFER_LIFE_SECONDS,
  type OpenedOffer,
  openOffer,
  paymentRequired,
  requirementsOf,
} from './requirements.ts';
import { payIntent, paySale } from './settle.ts';

export interface Attempt {
  payload: PaymentPayload;
  /** The client's name for its payment, if it has one. */
  purpose: string | null;
  caller: Caller;
}

/** The error of an offer that follows no payment. */
export const FIRST = 'Payment required';

/** Returns the offers of a place, as the JSON of a 402 answer. */
export async function offerPlace(parts: X402Parts, place: Place, error: string): Promise<string> {
  if (place.kind === 'intent') return offerIntent(parts, place, error);
  const open = await place.read();
  await place.requireLeft?.();
  requireSponsored(open.whyNotSponsored);
  const now = parts.clock.now();
  return saleOfferText(parts, open, { ...promise(now), error, now });
}

/** The ID that the order will have once the offer is accepted. */
export function promise(now: Date): PromisedIds {
  return { intentId: newId(now), reference: newReferenceAddress() };
}

async function offerIntent(
  parts: X402Parts,
  { intent, resource }: IntentPlace,
  error: string,
): Promise<string> {
  requireSponsored(await requireOfferable(parts, intent));
  return JSON.stringify(paymentRequired(ofIntent(parts, intent, feePayerOf(parts)), resource, error));
}

/** Takes a payment for what a place offers. A refusal leaves nothing behind: nothing signed, nothing written. */
export async function payPlace(parts: X402Parts, place: Place, attempt: Attempt): Promise<Outcome> {
  const { accepted } = attempt.payload;
  if (accepted.scheme !== SCHEME)
    return refuse({ reason: ERRORS.scheme, message: 'Only the "exact" scheme is offered.' });
  if (accepted.network !== NETWORK_IDS[parts.network])
    return refuse({ reason: ERRORS.network, message: `Only ${NETWORK_IDS[parts.network]} is offered.` });
  return place.kind === 'intent' ? payExisting(parts, place, attempt) : payUnsaved(parts, place, attempt);
}

async function payExisting(
  parts: X402Parts,
  { intent }: IntentPlace,
  { payload, caller }: Attempt,
): Promise<Outcome> {
  const settleAt = defaultSettleAt(intent.expectedAmountCents);
  const read = readTransaction(payload.transaction);
  const known = await findKnown(parts, read);
  if (known?.intentId === intent.id) return awaitOutcome(parts, known, settleAt);
  const paid = await findPaidOutcome(parts.db, intent, settleAt);
  if (paid) return paid;
  requireSponsored(await requireOfferable(parts, intent));
  const required = ofIntent(parts, intent, feePayerOf(parts));
  if (!isSame(parts, required, payload.accepted)) return refuse(NOT_OFFERED);
  const transaction = await checkExact(read, required);
  if (isRefusal(transaction)) return refuse(transaction);
  caller.requireTurn();
  return payIntent(parts, intent, { via: 'x402', transaction, settleAt, caller });
}

async function payUnsaved(parts: X402Parts, place: SalePlace, attempt: Attempt): Promise<Outcome> {
  const { payload } = attempt;
  const opened = openOffer(parts, payload.accepted, place, feePayerOf(parts));
  if (!opened) return refuse(NOT_OFFERED);
  const transaction = await checkExact(readTransaction(payload.transaction), opened.required);
  if (isRefusal(transaction)) return refuse(transaction);
  return ofPayer(await payOffer(parts, place, attempt, { ...opened, transaction }), place, transaction.payer);
}

async function payOffer(
  parts: X402Parts,
  place: SalePlace,
  attempt: Attempt,
  { transaction, ...opened }: OpenedOffer & { transaction: SponsoredTransaction },
): Promise<Outcome> {
  const known = await findSponsoredByMessage(parts.db, transaction.messageHash);
  if (known && known.intentId !== opened.intentId) return usedElsewhere(known);
  if (known) return awaitOutcome(parts, known, await settleAtOf(place));
  const open = await place.read();
  requireSponsored(open.whyNotSponsored);
  if (isStale(parts, opened.issuedAt) || !isStill(open, opened.required)) return refuse(NOT_OFFERED);
  attempt.caller.requireTurn();
  const { intentId, reference } = opened;
  return settleOrder(parts, open, attempt, { intentId, reference, transaction });
}

function settleOrder(
  parts: X402Parts,
  { sale, settleAt }: OpenSale,
  { purpose, caller }: Attempt,
  paid: PromisedIds & { transaction: SponsoredTransaction },
): Promise<Outcome> {
  return paySale(parts, {
    ...{ via: 'x402' as const, sale, settleAt, caller, ...paid },
    key: orderKeyOf(purpose, { payer: paid.transaction.payer, intentId: paid.intentId }),
    isBound: true,
  });
}

/** Known by its message, whatever else of it was changed. */
async function findKnown({ db }: X402Parts, transaction: ReadTransaction | undefined) {
  return transaction && findSponsoredByMessage(db, hashOf(transaction));
}

function ofIntent(parts: X402Parts, intent: Intent, feePayer: string): PaymentRequirements {
  const { referenceAddress: reference, destinationAddress: payTo } = intent;
  return requirementsOf(parts, { feePayer, payTo, amountBaseUnits: dueBaseUnits(intent), reference });
}

function feePayerOf({ sponsor }: X402Parts): string {
  if (sponsor) return sponsor.feePayer.address;
  const message = 'This service has no fee payer, which payments by x402 need (FEE_PAYER_KEY_FILE).';
  throw new AppError('INVALID_STATE', { message });
}

function isSame(parts: X402Parts, required: PaymentRequirements, accepted: PaymentRequirements): boolean {
  return (
    isOurs(parts, accepted, required.extra.feePayer as string) &&
    accepted.amount === required.amount &&
    accepted.payTo === required.payTo &&
    accepted.extra.memo === required.extra.memo
  );
}

function isStale({ clock }: X402Parts, issuedAt: Date): boolean {
  const ageMs = clock.now().getTime() - issuedAt.getTime();
  return ageMs > OFFER_LIFE_SECONDS * 1_000;
}

/** The sale may have changed since: then the offer is over. */
function isStill({ sale }: OpenSale, required: PaymentRequirements): boolean {
  return required.payTo === sale.payTo && required.amount === String(centsToBaseUnits(sale.amountCents));
}

const NOT_OFFERED: Refusal = {
  reason: ERRORS.requirements,
  message: 'This is not what is offered here, or no longer. Pay the new offer.',
};

function refuse({ reason, message, payer = '' }: Refusal): Outcome {
  return { kind: 'refused', reason, message, payer, signature: '' };
}
