import type { SponsoredTransaction } from '../../chain/fee-payer/read-sponsored.ts';
import { readTransaction, signersOf } from '../../chain/solana/read-message.ts';
import { findIntent } from '../../payments/offers/accept-order.ts';
import { findOrderKey } from '../../payments/offers/queries.ts';
import { NO_LABELS, type Sale } from '../../payments/offers/sale.ts';
import { WITH_KEY } from '../../payments/public-payments/payment-limits.ts';
import { answerOnce } from '../../payments/sponsor/answer-once.ts';
import { hashOf } from '../../payments/sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../../payments/sponsor/queries.ts';
import { requireSuccess } from '../../payments/sponsor/simulate.ts';
import type { Sponsored } from '../../payments/sponsor/sponsor.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newReferenceAddress } from '../../platform/lib/base58.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isUuid, newId } from '../../platform/lib/ids.ts';
import { baseUnitsToCents, centsToBaseUnits } from '../../platform/lib/money.ts';
import { checkExact } from './check-exact.ts';
import { isAwaited } from './elsewhere-queries.ts';
import { awaitOutcome, type Outcome, USED_ALREADY } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { defaultSettleAt } from './place.ts';
import {
  ERRORS,
  isRefusal,
  NETWORK_IDS,
  type PaymentRequirements,
  type Refusal,
  SCHEME,
} from './protocol.ts';
import { keyOfPurpose } from './purpose.ts';
import { findProjectPaidTo, findSellerTerms, isOpenSettlement } from './queries.ts';
import { isRecord, readPayload, readRequirements } from './read-payload.ts';
import { findOtherUse, paySale } from './settle.ts';
import { whyNoOffer, whyNotSponsored } from './why-no-offer.ts';

/** Request of a shop about a payment it was sent: the protocol's own body, not checked yet. */
export interface FacilitatorBody {
  x402Version?: unknown;
  paymentPayload?: unknown;
  paymentRequirements?: unknown;
}

interface Checked {
  sale: Sale;
  transaction: SponsoredTransaction;
  paymentId: string | null;
}

const ROUTE = 'facilitator';
const keyOfMessage = (hash: Buffer) => `message:${hash.toString('hex')}`;

/** Checks that a payment would settle. Writes nothing. */
export async function verifyPayment(
  parts: X402Parts,
  merchantId: string,
  body: FacilitatorBody,
): Promise<{ payer: string } | Refusal> {
  const checked = await check(parts, merchantId, body);
  if (isRefusal(checked)) return (await verifyBeforeMove(parts.db, merchantId, body, checked)) ?? checked;
  const { payer, wire, messageHash } = checked.transaction;
  const known = await findSponsoredByMessage(parts.db, messageHash);
  if (known) return (await isUnanswered(parts.db, known, checked.sale, null)) ? { payer } : duplicate(known);
  const otherwise = await findOtherwise(parts.db, checked);
  if (otherwise) return { ...otherwise, payer };
  try {
    await requireSuccess(parts.rpc, wire);
    return { payer };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    return { reason: ERRORS.simulation, message: error.message, payer };
  }
}

/** Settles a payment for a merchant's own server: the order has an intent and an invoice like any other. */
export async function settlePayment(
  parts: X402Parts,
  merchantId: string,
  body: FacilitatorBody,
  idempotencyKey: string | undefined,
): Promise<Outcome> {
  const key = idempotencyKey ?? null;
  const checked = await check(parts, merchantId, body);
  if (isRefusal(checked)) {
    const before = await verifyBeforeMove(parts.db, merchantId, body, checked);
    if (before && !isRefusal(before)) return { kind: 'pending', ...before, signature: '' };
    return refusedOutcome(before ?? checked, '');
  }
  const { sale, transaction, paymentId } = checked;
  const settleAt = defaultSettleAt(sale.amountCents);
  const known = await findSponsoredByMessage(parts.db, transaction.messageHash);
  if (known) {
    if (!(await isUnanswered(parts.db, known, sale, key)))
      return refusedOutcome(duplicate(known), known.signature);
    return succeedOnce(parts, await awaitOutcome(parts, known, settleAt), key);
  }
  const purpose = paymentId ?? idempotencyKey;
  const outcome = await paySale(parts, {
    ...{ via: 'x402' as const, sale, transaction, settleAt },
    intentId: newId(parts.clock.now()),
    reference: newReferenceAddress(),
    key: purpose ? keyOfPurpose(transaction.payer, purpose) : keyOfMessage(transaction.messageHash),
    isBound: false,
    caller: WITH_KEY,
  });
  return succeedOnce(parts, outcome, key);
}

/**
 * The server that asks hands its goods over for every success, so a payment is one once. A server whose own request was
 * lost repeats it with the same Idempotency-Key and gets the stored answer.
 */
async function succeedOnce({ db, clock }: X402Parts, outcome: Outcome, key: string | null): Promise<Outcome> {
  if (outcome.kind !== 'paid') return outcome;
  if (await answerOnce(db, outcome.signature, { key, now: clock.now() })) return outcome;
  return refusedOutcome(duplicate(outcome), outcome.signature);
}

/** True if it was settled for this seller's own servers and they do not know yet. */
async function isUnanswered(
  db: Queryable,
  known: Sponsored,
  { merchantId, projectId, route }: Sale,
  key: string | null,
): Promise<boolean> {
  return known.merchantId === merchantId && isOpenSettlement(db, known, { projectId, route, key });
}

/**
 * Verifies a payment that names another fee payer by what has come along from where the seller has moved from: its payer while it is
 * awaited, and that it was used once it has paid. Undefined for any other.
 */
async function verifyBeforeMove(
  db: Queryable,
  merchantId: string,
  { paymentPayload }: FacilitatorBody,
  { reason }: Refusal,
): Promise<{ payer: string } | Refusal | undefined> {
  const payload = readPayload(paymentPayload);
  if (reason !== ERRORS.feePayerUnknown || isRefusal(payload)) return undefined;
  const read = readTransaction(payload.transaction);
  const [, payer] = read?.message ? signersOf(read.message) : [];
  if (!read || payer === undefined) return undefined;
  const hash = hashOf(read);
  if (await isAwaited(db, merchantId, { hash, signature: '' })) return { payer };
  const { paymentId } = payload;
  const keys = [keyOfMessage(hash), ...(paymentId === null ? [] : [keyOfPurpose(payer, paymentId)])];
  for (const key of keys) {
    const held = await findOrderKey(db, { merchantId, route: ROUTE, key });
    const intent = held && (await findIntent(db, merchantId, held.intentId));
    if (intent && intent.receivedBaseUnits > 0n) return duplicate({ payer });
  }
  return undefined;
}

/** Finds the reason why its identifier keeps it from being settled. */
async function findOtherwise(db: Queryable, { sale, transaction, paymentId }: Checked) {
  if (paymentId === null) return undefined;
  const { merchantId, route } = sale;
  const key = keyOfPurpose(transaction.payer, paymentId);
  return findOtherUse(db, sale, await findOrderKey(db, { merchantId, route, key }));
}

function duplicate({ payer }: { payer: string }): Refusal {
  return { ...USED_ALREADY, payer };
}

function refusedOutcome({ reason, message, payer = '' }: Refusal, signature: string): Outcome {
  return { kind: 'refused', reason, message, payer, signature };
}

async function check(
  parts: X402Parts,
  merchantId: string,
  { paymentPayload, paymentRequirements }: FacilitatorBody,
): Promise<Checked | Refusal> {
  const payload = readPayload(paymentPayload);
  if (isRefusal(payload)) return payload;
  const required = readRequirements(paymentRequirements);
  if (!required) return bad('paymentRequirements must be of the form that x402 version 2 gives them');
  const terms = checkTerms(parts, payload.accepted, required);
  if (terms) return terms;
  const transaction = await checkExact(readTransaction(payload.transaction), required, {
    isSignatureFirst: true,
  });
  if (isRefusal(transaction)) return transaction;
  const sale = await findSale(parts, merchantId, required);
  return isRefusal(sale) ? sale : { sale, transaction, paymentId: payload.paymentId };
}

/** Checks the terms in the reference implementation's order. */
function checkTerms(
  { network, sponsor }: X402Parts,
  accepted: PaymentRequirements,
  required: PaymentRequirements,
): Refusal | undefined {
  if (accepted.scheme !== SCHEME || required.scheme !== SCHEME)
    return { reason: ERRORS.svmScheme, message: 'Only the "exact" scheme is supported.' };
  if (accepted.network !== required.network)
    return { reason: ERRORS.svmNetwork, message: 'The client accepted another network.' };
  const { feePayer } = required.extra;
  if (typeof feePayer !== 'string' || feePayer === '')
    return { reason: ERRORS.feePayerMissing, message: 'extra.feePayer is required.' };
  if (feePayer !== sponsor?.feePayer.address)
    return { reason: ERRORS.feePayerUnknown, message: 'extra.feePayer must be the one of /x402/supported.' };
  if (required.network !== NETWORK_IDS[network])
    return { reason: ERRORS.network, message: `This service is on ${NETWORK_IDS[network]}.` };
  if (!/^[1-9][0-9]{0,18}$/.test(required.amount)) return bad('amount must be a whole number of base units');
  if (required.extra.memo !== undefined && typeof required.extra.memo !== 'string')
    return bad('extra.memo must be a text');
  return undefined;
}

/** The merchant's own address, and money that an invoice can state. */
async function findSale(
  parts: X402Parts,
  merchantId: string,
  { amount, asset, payTo, extra }: PaymentRequirements,
): Promise<Sale | Refusal> {
  if (asset !== parts.mint) return bad(`asset must be ${parts.mint}`);
  const amountCents = baseUnitsToCents(BigInt(amount));
  if (centsToBaseUnits(amountCents) !== BigInt(amount))
    return bad('amount must be whole cents: below a cent, sell credits and draw them down by usage');
  const { projectId: named } = extra;
  if (named !== undefined && !(typeof named === 'string' && isUuid(named)))
    return bad('extra.projectId must be the id of a project');
  const projectId = named?.toLowerCase() ?? (await findProjectPaidTo(parts.db, merchantId, payTo))?.id;
  const seller = projectId ? await findSellerTerms(parts.db, merchantId, projectId) : undefined;
  if (!projectId || seller?.projectId !== projectId || seller.destination !== payTo)
    return bad('payTo must be the payout address of one of your projects');
  const reason = (await whyNoOffer(parts, seller)) ?? (await whyNotSponsored(parts, seller));
  if (reason) return bad(reason);
  const sold = { route: ROUTE, what: { kind: 'amount' as const }, labels: NO_LABELS };
  return { merchantId, projectId, amountCents, payTo, ...sold };
}

function bad(message: string): Refusal {
  return { reason: ERRORS.requirements, message };
}

export function isBody(value: unknown): value is FacilitatorBody {
  return isRecord(value);
}
