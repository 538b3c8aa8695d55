import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '../../platform/http/server.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { badField } from '../../platform/lib/errors.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { refusal, TokenBuckets } from '../../platform/limits/token-buckets.ts';
import { type Outcome, paidOutcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { offerPlace, payPlace } from './pay-place.ts';
import type { Place } from './place.ts';
import { isRefusal, type PaymentRequired, X402_VERSION } from './protocol.ts';
import { readPaymentHeader } from './read-payload.ts';
import { PENDING, readReceipt, settleResponse } from './receipt.ts';

/** Whether a program asks, not a browser: it pays, or it wants JSON and no page. */
export function isProgram({ headers }: FastifyRequest): boolean {
  const { accept = '' } = headers;
  return (
    headers['payment-signature'] !== undefined ||
    (/\bapplication\/json\b/.test(accept) && !/text\/html/.test(accept))
  );
}

/** Answers a program at a place where something is sold: 402 with the offer, the receipt once it has paid. */
export async function answerProgram(
  parts: X402Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  findPlace: () => Promise<Place> | Place,
): Promise<FastifyReply> {
  try {
    const header = request.headers['payment-signature'];
    if (header === undefined) return await offer(parts, reply, await findPlace());
    const payload = readPaymentHeader(String(header));
    if (isRefusal(payload))
      return reply
        .code(400)
        .send({ x402Version: X402_VERSION, error: payload.reason, message: payload.message });
    const place = await findPlace();
    const key = payload.paymentId ? `id:${payload.paymentId}` : readKey(request);
    const requireCapacity = (payer: string) => countPayment(request, payer);
    return await answer(parts, reply, place, await payPlace(parts, place, { payload, key, requireCapacity }));
  } catch (error) {
    answerError(error, request, reply);
    return reply;
  }
}

async function offer(parts: X402Parts, reply: FastifyReply, place: Place): Promise<FastifyReply> {
  const paid = place.kind === 'intent' ? paidOutcome(place.intent) : undefined;
  if (paid?.kind === 'paid') return reply.code(200).send(await readReceipt(parts, paid));
  return demand(reply, await offerPlace(parts, place));
}

function demand(reply: FastifyReply, required: PaymentRequired): FastifyReply {
  return reply.code(402).header('PAYMENT-REQUIRED', encode(required)).send(required);
}

const RETRY_SECONDS = 2;

async function answer(
  parts: X402Parts,
  reply: FastifyReply,
  place: Place,
  outcome: Outcome,
): Promise<FastifyReply> {
  const settled = settleResponse(parts, outcome);
  if (outcome.kind === 'paid')
    return reply
      .code(200)
      .header('PAYMENT-RESPONSE', encode(settled))
      .send(await readReceipt(parts, outcome));
  if (outcome.kind === 'pending')
    return reply
      .code(503)
      .header('Retry-After', String(RETRY_SECONDS))
      .header('PAYMENT-RESPONSE', encode(settled))
      .send({ ...settled, message: PENDING });
  reply.header('PAYMENT-RESPONSE', encode(settled));
  const required = await offerPlace(parts, place, outcome.reason);
  return reply
    .code(402)
    .header('PAYMENT-REQUIRED', encode(required))
    .send({ ...required, message: outcome.message });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

const KEY = /^[\x20-\x7e]{1,255}$/;

function readKey(request: FastifyRequest): string | null {
  const [key, ...more] = request.raw.headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return null;
  if (more.length > 0 || !KEY.test(key))
    throw badField('Idempotency-Key', 'must be sent once and be 1 to 255 printable ASCII characters');
  return `key:${key}`;
}

/** Each payment that gets this far costs calls to a node: strangers must not use up those that detect payments. */
const ofClients = new TokenBuckets({ perSecond: 10, burst: 100 });
const ofPayers = new TokenBuckets({ perSecond: 5, burst: 60 });

function countPayment({ ip }: FastifyRequest, payer: string): void {
  for (const result of [ofClients.take(networkOf(ip), elapsedMs()), ofPayers.take(payer, elapsedMs())])
    if (!result.allowed) throw refusal(result);
}
