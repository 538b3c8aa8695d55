import type { FastifyRequest } from 'fastify';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import type { X402Parts } from './parts.ts';
import type { Place } from './place.ts';

/**
 * Takes a payment at a place: its calls to nodes take turns with those of other merchants and, at this one, of other clients,
 * and a client keeps only so many requests open.
 */
export function inTurnOf<Result>(
  { limits }: X402Parts,
  { ip }: FastifyRequest,
  place: Place,
  work: () => Promise<Result>,
): Promise<Result> {
  return limits.holdOpen(ip, async () => inShareOf([await sellerAt(place), networkOf(ip)], work));
}

/** Returns the seller that a place counts toward. Something no longer sold has no seller here and counts on its own. */
async function sellerAt(place: Place): Promise<string> {
  if (place.kind === 'intent') return place.intent.merchantId;
  return place.read().then(
    ({ sale }) => sale.merchantId,
    () => place.route,
  );
}
