import type { FastifyReply, FastifyRequest } from 'fastify';
import { badField } from '../../platform/lib/errors.ts';
import type { Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { offerPlace, payPlace } from './pay-place.ts';
import { type Place, refreshOffer } from './place.ts';
import { isRefusal, X402_VERSION } from './protocol.ts';
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
  const key = payload.paymentId ? `id:${payload.paymentId}` : readKey(request);
  const requireCapacity = (payer: string) => parts.countPayment(request.ip, payer);
  return answer(parts, reply, place, await payPlace(parts, place, { payload, key, requireCapacity }));
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
  refreshOffer(place, outcome);
  const required = await offerPlace(parts, place, outcome.reason);
  return reply
    .code(402)
    .header('PAYMENT-REQUIRED', encode(required))
    .send({ ...required, message: outcome.message });
}

export function encode(value: object): string {
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
