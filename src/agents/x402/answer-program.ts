import type { FastifyReply, FastifyRequest } from 'fastify';
import { findElsewhere } from './find-elsewhere.ts';
import { inTurnOf } from './in-turn-of.ts';
import type { Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { offerPlace, payPlace } from './pay-place.ts';
import { type Place, refreshOffer } from './place.ts';
import { isRefusal, X402_VERSION } from './protocol.ts';
import { purposeOf } from './purpose.ts';
import { readPaymentHeader } from './read-payload.ts';
import { PENDING, readReceipt, settleResponse } from './receipt.ts';

/** True for a request by a program, not a browser: it pays, or it wants JSON and no page. */
export function isProgram({ headers }: FastifyRequest): boolean {
  const { accept = '' } = headers;
  return (
    headers['payment-signature'] !== undefined ||
    (isAccepted(accept, 'application/json') && !isAccepted(accept, 'text/html'))
  );
}

/** Media types have no case, and `q=0` refuses one. */
function isAccepted(accept: string, type: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [name, ...parameters] = range.split(';').map((part) => part.trim());
      return name === type && !parameters.some((each) => /^q\s*=\s*0(\.0*)?$/.test(each));
    });
}

/** Answers a program that pays by x402. */
export async function answerX402(
  parts: X402Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  findPlace: () => Promise<Place> | Place,
): Promise<FastifyReply> {
  const payload = readPaymentHeader(String(request.headers['payment-signature']));
  if (isRefusal(payload))
    return reply
      .code(400)
      .send({ x402Version: X402_VERSION, error: payload.reason, message: payload.message });
  const place = await findPlace();
  const purpose = purposeOf(request, payload.paymentId);
  const caller = parts.limits.program(request.ip);
  const pay = () => payPlace(parts, place, { payload, purpose, caller });
  const outcome = await inTurnOf(parts, request, place, pay);
  if (outcome.kind !== 'refused' || outcome.signature !== '' || outcome.retrySeconds !== undefined)
    return answer(parts, reply, place, outcome);
  reply.header('PAYMENT-RESPONSE', encode(settleResponse(parts, outcome)));
  const elsewhere = await findElsewhere(parts, place, payload.transaction);
  return answer(parts, reply, place, elsewhere ?? outcome);
}

const RETRY_SECONDS = 2;

async function answer(
  parts: X402Parts,
  reply: FastifyReply,
  place: Place,
  outcome: Outcome,
): Promise<FastifyReply> {
  const receipt = outcome.kind === 'paid' && (await readReceipt(parts, outcome, place));
  const settled = settleResponse(parts, receipt === undefined ? { ...outcome, kind: 'pending' } : outcome);
  if (receipt) return reply.code(200).header('PAYMENT-RESPONSE', encode(settled)).send(receipt);
  if (outcome.kind !== 'refused')
    return reply
      .code(503)
      .header('Retry-After', String(RETRY_SECONDS))
      .header('PAYMENT-RESPONSE', encode(settled))
      .send({ ...settled, message: PENDING });
  reply.header('PAYMENT-RESPONSE', encode(settled));
  if (outcome.retrySeconds !== undefined)
    return reply
      .code(503)
      .header('Retry-After', String(outcome.retrySeconds))
      .send({ ...settled, message: outcome.message });
  const required = await offerPlace(parts, await refreshOffer(parts, place, outcome), outcome.reason);
  return reply
    .code(402)
    .header('PAYMENT-REQUIRED', toBase64(required))
    .type(JSON_TYPE)
    .send(`${required.slice(0, -1)},"message":${JSON.stringify(outcome.message)}}`);
}

export const JSON_TYPE = 'application/json; charset=utf-8';

function encode(value: object): string {
  return toBase64(JSON.stringify(value));
}

export function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
