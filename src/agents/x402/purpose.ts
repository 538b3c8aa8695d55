import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { badField } from '../../platform/lib/errors.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * The client's name for its payment: x402's payment identifier, or else the Idempotency-Key. They share one namespace: the
 * same text means the same purpose in either field and either protocol. Null if none was given.
 */
export function purposeOf(request: FastifyRequest, paymentId: string | null = null): string | null {
  if (paymentId !== null) return paymentId;
  const key = request.headers['idempotency-key'] as string | undefined;
  if (key === undefined) return null;
  if (!KEY.test(key)) throw badField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  return key;
}

/** A name is its payer's own: under the same one a stranger makes another payment, and gets nobody else's receipt. */
export function keyOfPurpose(payer: string, purpose: string): string {
  return `payer:${createHash('sha256').update(`${payer} id:${purpose}`).digest('hex')}`;
}

/** Returns the key under which an order is written: the client's own name for it, or the offer's. */
export function orderKeyOf(
  purpose: string | null,
  { payer, intentId }: { payer: string; intentId: string },
): string {
  return purpose === null ? `offer:${intentId}` : keyOfPurpose(payer, purpose);
}
