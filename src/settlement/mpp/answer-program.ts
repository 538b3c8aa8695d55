import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Intent } from '../../money/intents/intent.ts';
import { answerError } from '../../platform/http/server.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { answerX402, isProgram as isX402Program } from '../x402/answer-program.ts';
import { findPaidOutcome, type Outcome } from '../x402/outcome.ts';
import { offerPlace } from '../x402/pay-place.ts';
import { defaultSettleAt, type Place, refreshOffer } from '../x402/place.ts';
import { readReceipt } from '../x402/receipt.ts';
import { challengeHeader, requestOf } from './challenge.ts';
import { hasCredential, readCredential } from './credential.ts';
import { allowAnyOrigin } from './cross-origin.ts';
import { offerChallenges } from './offer-challenges.ts';
import type { MppParts } from './parts.ts';
import { payPlace } from './pay-place.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import type { Challenge } from './protocol.ts';
import { receiptHeader } from './receipt.ts';

/** Whether a program asks, not a browser: it pays, says how it can pay, or wants JSON and no page. */
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
    return await answerCredential(parts, request, reply, await findPlace());
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
  const paid = place.kind === 'intent' ? await findPaidOf(parts, place.intent) : undefined;
  if (paid?.kind === 'paid') return reply.code(200).send(await readReceipt(parts, paid, place));
  const required = await demand(parts, request, reply, place);
  // Written already, for the header: offers are read far more often than paid.
  if (required !== undefined) return reply.code(402).type(JSON_TYPE).send(required);
  return reply.code(402).send(problem('payment-required', 'Pay one of the offers in WWW-Authenticate.'));
}

function findPaidOf({ db }: MppParts, intent: Intent) {
  return findPaidOutcome(db, intent, defaultSettleAt(intent.expectedAmountCents));
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sets the headers that say how this can be paid. Without our fee payer only one of the protocols can do it. Answers the other's offer as JSON. */
async function demand(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
): Promise<string | undefined> {
  const challenges = await offerChallenges(parts, place, { isSelfPaying: isSelfPaying(request) });
  reply.header('WWW-Authenticate', challenges.map(challengeHeader));
  const required = await offerPlace(parts, place).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'INVALID_STATE') return undefined;
    throw error;
  });
  if (!required) {
    reply.type('application/problem+json');
    return undefined;
  }
  const text = JSON.stringify(required);
  reply.header('PAYMENT-REQUIRED', Buffer.from(text).toString('base64'));
  return text;
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
  const credential = readCredential(request.headers.authorization!);
  if (isProblem(credential)) return refuse(parts, request, reply, place, credential);
  const { challenge } = credential;
  const outcome = await payPlace(parts, place, credential, (payer) => parts.countPayment(request.ip, payer));
  if (isProblem(outcome)) return refuse(parts, request, reply, place, outcome, challenge);
  refreshOffer(place, outcome);
  if (outcome.kind === 'refused')
    return refuse(parts, request, reply, place, problem('verification-failed', outcome.message), challenge);
  const receipt = outcome.kind === 'paid' ? await readReceipt(parts, outcome, place) : undefined;
  if (!receipt) return wait(reply, outcome);
  const { externalId } = requestOf(challenge);
  const { signature } = outcome;
  return reply
    .code(200)
    .header(
      'Payment-Receipt',
      receiptHeader({ challengeId: challenge.id, signature, externalId, at: parts.clock.now() }),
    )
    .send(receipt);
}

async function refuse(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  refusal: Problem,
  challenge?: Challenge,
): Promise<FastifyReply> {
  if (refusal.status === 402) await demandAgain(parts, request, reply, place);
  return reply
    .code(refusal.status)
    .type('application/problem+json')
    .send({ ...refusal, ...(challenge && { challengeId: challenge.id }) });
}

/** What is over is not offered again; why the payment was refused is still worth saying. */
async function demandAgain(
  parts: MppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
): Promise<void> {
  try {
    await demand(parts, request, reply, place);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

const RETRY_SECONDS = 2;

function wait(reply: FastifyReply, { signature }: Outcome): FastifyReply {
  const detail =
    'A payment for this is under way and its outcome is not known yet. Send the same Authorization again; do not pay another time.';
  return reply
    .code(503)
    .header('Retry-After', String(RETRY_SECONDS))
    .type('application/problem+json')
    .send({ type: 'about:blank', title: 'Settlement Pending', status: 503, detail, transaction: signature });
}
