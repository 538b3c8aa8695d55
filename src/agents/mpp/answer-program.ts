import type { FastifyReply, FastifyRequest } from 'fastify';
import { readTransaction } from '../../chain/solana/read-message.ts';
import type { Caller } from '../../payments/public-payments/payment-limits.ts';
import { hashOf } from '../../payments/sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../../payments/sponsor/queries.ts';
import { answerError } from '../../platform/http/server.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { answerX402, isProgram as isX402Program, JSON_TYPE, toBase64 } from '../x402/answer-program.ts';
import { findElsewhere } from '../x402/find-elsewhere.ts';
import { inTurnOf } from '../x402/in-turn-of.ts';
import { saleOfferText } from '../x402/offer-text.ts';
import type { Outcome } from '../x402/outcome.ts';
import { FIRST, offerPlace, promise } from '../x402/pay-place.ts';
import {
  type IntentPlace,
  type Place,
  refreshOffer,
  requireOfferable,
  type SalePlace,
} from '../x402/place.ts';
import { purposeOf } from '../x402/purpose.ts';
import { readReceipt } from '../x402/receipt.ts';
import { findOutcome, requireNothingUnderWay, underWay } from '../x402/under-way.ts';
import { challengeHeader, requestOf } from './challenge.ts';
import { hasCredential, proofIn, readCredential } from './credential.ts';
import { allowAnyOrigin } from './cross-origin.ts';
import { type Asked, challengesOfIntent, challengesOfSale } from './offer-challenges.ts';
import { bookedInVain, paidInVain } from './paid-in-vain.ts';
import type { MppParts } from './parts.ts';
import { payPlace } from './pay-place.ts';
import { isProblem, type Problem, problem, wasNeverAccepted } from './problem.ts';
import type { Challenge } from './protocol.ts';
import { receiptHeader } from './receipt.ts';

/** True for a request by a program, not a browser: it pays, says how it can pay, or wants JSON and no page. */
export function isProgram(request: FastifyRequest): boolean {
  const { headers } = request;
  return (
    isX402Program(request) || headers['accept-payment'] !== undefined || hasCredential(headers.authorization)
  );
}

/**
 * Answers a program at a place where something is sold: 402 with the offers of every protocol that it can be paid by, and the
 * receipt once it is paid.
 */
export async function answerProgram(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  findPlace: () => Promise<Place> | Place,
): Promise<FastifyReply> {
  const { headers } = request;
  allowAnyOrigin(reply);
  try {
    if (headers['payment-signature'] !== undefined) return await answerX402(parts, request, reply, findPlace);
    if (!hasCredential(headers.authorization)) return await offer(parts, request, reply, await findPlace());
    const place = await findPlace();
    const answer = () => answerCredential(parts, request, reply, place);
    return await inTurnOf(parts, request, place, answer);
  } catch (error) {
    answerError(error, request, reply);
    return reply;
  }
}

async function offer(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
): Promise<FastifyReply> {
  const outcome = place.kind === 'intent' ? await findOutcome(parts, place) : undefined;
  if (outcome?.kind === 'paid') return reply.code(200).send(await readReceipt(parts, outcome, place));
  if (outcome?.kind === 'pending') throw underWay();
  const required = await demand(parts, request, reply, place);
  // Written already, for the header: offers are read far more often than paid.
  if (required !== undefined) return reply.code(402).type(JSON_TYPE).send(required);
  return reply.code(402).send(problem('payment-required', 'Pay one of the offers in WWW-Authenticate.'));
}

/** Sets the headers that say how this can be paid. Without our fee payer only one of the protocols can do it. Answers the other's offer as JSON. */
async function demand(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
): Promise<string | undefined> {
  const asked = { isSelfPaying: isSelfPaying(request), now: parts.clock.now() };
  const { challenges, required } =
    place.kind === 'sale'
      ? await offersOfSale(parts, place, asked)
      : await offersOfIntent(parts, place, asked);
  reply.header('WWW-Authenticate', challenges.map(challengeHeader));
  if (required === undefined) reply.type('application/problem+json');
  else reply.header('PAYMENT-REQUIRED', toBase64(required));
  return required;
}

interface Offers {
  challenges: Challenge[];
  /** The x402 offer, if it can be paid that way. */
  required: string | undefined;
}

/** All belong to one order: paying one of them pays the order. */
async function offersOfSale(parts: MppParts, place: SalePlace, asked: Asked): Promise<Offers> {
  const open = await place.read();
  await place.requireLeft?.();
  const { now } = asked;
  const promised = promise(now);
  const challenges = await challengesOfSale(parts, open, promised, asked);
  if (open.whyNotSponsored !== null) return { challenges, required: undefined };
  return { challenges, required: saleOfferText(parts, open, { ...promised, error: FIRST, now }) };
}

async function offersOfIntent(parts: MppParts, place: IntentPlace, asked: Asked): Promise<Offers> {
  await requireNothingUnderWay(parts, place.intent);
  const challenges = await challengesOfIntent(parts, place, asked);
  const required = await offerPlace(parts, place, FIRST).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'INVALID_STATE') return undefined;
    throw error;
  });
  return { challenges, required };
}

/** `?fees=payer`: for clients that send their own transactions, and so cannot have their fee paid. */
function isSelfPaying({ query }: FastifyRequest): boolean {
  return (query as Record<string, unknown>).fees === 'payer';
}

async function answerCredential(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
): Promise<FastifyReply> {
  const caller = parts.limits.program(request.ip);
  const credential = readCredential(request.headers.authorization!);
  if (isProblem(credential)) return refuse(parts, request, reply, place, credential, { caller });
  const { challenge } = credential;
  const outcome = await payPlace(parts, place, credential, {
    purpose: purposeOf(request),
    caller,
  });
  if (isProblem(outcome)) return refuse(parts, request, reply, place, outcome, { caller, challenge });
  if (outcome.kind === 'refused' && outcome.retrySeconds !== undefined)
    return waitForRoom(reply, outcome.message, outcome.retrySeconds);
  if (outcome.kind === 'refused') {
    const still = await refreshOffer(parts, place, outcome);
    // An order that has just ended is answered like one that ended before.
    if (outcome.isOfferOver && still.kind === 'intent') await requireOfferable(parts, still.intent);
    const refusal = problem('verification-failed', outcome.message);
    const isOwn = outcome.signature !== '';
    return refuse(parts, request, reply, still, refusal, { caller, challenge, isDecided: true, isOwn });
  }
  const receipt = outcome.kind === 'paid' ? await readReceipt(parts, outcome, place) : undefined;
  if (!receipt) return wait(reply, outcome, parts.clock.now());
  const { externalId } = requestOf(challenge);
  const { signature } = outcome;
  return reply
    .code(200)
    .header('Cache-Control', 'private, no-store')
    .header(
      'Payment-Receipt',
      receiptHeader({ challengeId: challenge.id, signature, externalId, at: parts.clock.now() }),
    )
    .send(receipt);
}

interface Refused {
  caller: Caller;
  challenge?: Challenge;
  /** The payment itself came to nothing, and not only the credential. */
  isDecided?: boolean;
  /** True if a payment that came to nothing was sent for this order, and so has paid no other. */
  isOwn?: boolean;
}

async function refuse(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  refusal: Problem,
  { caller, challenge, isDecided = false, isOwn = false }: Refused,
): Promise<FastifyReply> {
  const elsewhere = isOwn ? undefined : await findSentElsewhere(parts, request, place);
  if (elsewhere) return wait(reply, elsewhere, parts.clock.now());
  const inVain = isOwn
    ? undefined
    : await findPaidInVain(parts, request, place, { refusal, caller, challenge });
  const said = inVain ?? refusal;
  if (said.status === 402) await demandAgain(parts, request, reply, place, isDecided);
  return reply
    .code(said.status)
    .type('application/problem+json')
    .send({ ...said, ...(challenge && { challengeId: challenge.id }) });
}

/** A program that shows a signature says that the money is on its way or here; one that shows a transaction may have sent it. */
async function findPaidInVain(
  parts: MppParts,
  request: FastifyRequest,
  place: Place,
  { refusal, caller, challenge }: { refusal: Problem; caller: Caller; challenge: Challenge | undefined },
) {
  const proof = proofIn(request.headers.authorization!);
  if (proof === undefined || refusal.status !== 402) return undefined;
  if (proof.type === 'signature') {
    // Our own books are read without a node.
    if (!wasNeverAccepted(refusal)) caller.requireTurn();
    return paidInVain(parts, place, { signature: proof.signature, challenge }, refusal);
  }
  const read = readTransaction(proof.transaction);
  const [own] = read?.signatures ?? [];
  if (!read || !own) return undefined;
  // In what we sign, the first signature is ours, and missing here.
  const signed = await findSponsoredByMessage(parts.db, hashOf(read));
  return bookedInVain(parts, place, signed?.signature ?? encodeBase58(own), refusal);
}

function findSentElsewhere(parts: MppParts, request: FastifyRequest, place: Place) {
  const proof = proofIn(request.headers.authorization!);
  return proof?.type === 'transaction' ? findElsewhere(parts, place, proof.transaction) : undefined;
}

/** Makes a new offer, except of something that is over: then only the reason for the refusal is answered. */
async function demandAgain(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  isDecided: boolean,
): Promise<void> {
  try {
    await demand(parts, request, reply, place);
  } catch (error) {
    if (!(error instanceof AppError) || (error.reason === 'under_way' && !isDecided)) throw error;
  }
}

const RETRY_SECONDS = 2;

function wait(reply: FastifyReply, outcome: Outcome, now: Date): FastifyReply {
  const { signature } = outcome;
  const decidedAt = outcome.kind === 'pending' ? outcome.decidedAt : undefined;
  const decided = decidedAt ? ` It is decided by ${decidedAt.toISOString()} at the latest.` : '';
  const detail = `A payment for this is under way and its outcome is not known yet. Send the same Authorization again; do not pay again.${decided}`;
  return reply
    .code(503)
    .header('Retry-After', String(retrySeconds(decidedAt, now)))
    .type('application/problem+json')
    .send({
      ...{ type: 'about:blank', title: 'Settlement Pending', status: 503, detail, transaction: signature },
      ...(decidedAt && { decidedAt }),
    });
}

/** Nothing was signed, and the same payment is taken once the others of its wallet have arrived. */
function waitForRoom(reply: FastifyReply, message: string, seconds: number): FastifyReply {
  const detail = `${message} Send the same Authorization again; do not sign another.`;
  return reply
    .code(503)
    .header('Retry-After', String(seconds))
    .type('application/problem+json')
    .send({ type: 'about:blank', title: 'Wallet Busy', status: 503, detail });
}

/** Most payments land within seconds. For one that has not, the answer says when the outcome will be known. */
function retrySeconds(decidedAt: Date | undefined, now: Date): number {
  const leftMs = decidedAt ? decidedAt.getTime() - now.getTime() : 0;
  return leftMs > 0 && leftMs <= LONG_MS ? Math.max(RETRY_SECONDS, Math.ceil(leftMs / 1000)) : RETRY_SECONDS;
}

const LONG_MS = 120_000;
