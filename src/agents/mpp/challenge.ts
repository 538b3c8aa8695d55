import { type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SaleLabels } from '../../payments/offers/sale.ts';
import { hmacOf } from '../../platform/lib/hmac.ts';
import { encodeCanonical } from './canonical-json.ts';
import { type Challenge, type ChargeRequest, INTENT, METHOD } from './protocol.ts';

/** Time for which an offer can be accepted. */
const CHALLENGE_LIFE_SECONDS = 300;

/** Place where an offer is made; the offer is valid nowhere else. */
export interface Offered {
  route: string;
  labels: SaleLabels;
}

/** The keys that make ids, the current one first. */
export type ChallengeKeys = () => readonly KeyObject[];

export interface NewChallenge {
  realm: string;
  /** Request in canonical JSON and base64url. */
  request: string;
  /** The intent that is created when it is paid; undefined where it exists. */
  order: string | undefined;
  expires: string;
}

/** Returns the time until which an offer made now can be accepted. */
export function expiryOf(now: Date): string {
  return new Date(now.getTime() + CHALLENGE_LIFE_SECONDS * 1_000).toISOString();
}

/** An offer that needs no row: its id proves that every word of it is ours. */
export function newChallenge(
  keys: ChallengeKeys,
  offered: Offered,
  { realm, request, order, expires }: NewChallenge,
): Challenge {
  const unnamed = {
    realm,
    method: METHOD,
    intent: INTENT,
    request,
    expires,
    ...(order !== undefined && { opaque: { order } }),
  };
  return { id: idOf(keys()[0]!, offered, unnamed), ...unnamed };
}

/** True if we made exactly this offer, at this place. */
export function isOurs(keys: ChallengeKeys, offered: Offered, challenge: Challenge): boolean {
  const given = Buffer.from(challenge.id);
  return keys().some((key) => {
    const expected = Buffer.from(idOf(key, offered, challenge));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Our own request, as it came back under an id that is ours. */
export function requestOf({ request }: Challenge): ChargeRequest {
  return JSON.parse(Buffer.from(request, 'base64url').toString());
}

export function isExpired({ expires }: Challenge, now: Date): boolean {
  return Date.parse(expires) <= now.getTime();
}

function idOf(key: KeyObject, { route, labels }: Offered, challenge: Omit<Challenge, 'id'>): string {
  const { realm, method, intent, request, expires, opaque } = challenge;
  const said = JSON.stringify([
    ...[realm, method, intent, request, expires, opaque?.order ?? null],
    ...[route, labels.clientReferenceId, labels.customerEmail],
  ]);
  return hmacOf(key, said);
}

/** The value of one `WWW-Authenticate` header. Nothing of it needs escaping: what people wrote is inside `request`. */
export function challengeHeader({ id, realm, method, intent, request, expires, opaque }: Challenge): string {
  const parts = [
    `id="${id}"`,
    `realm="${realm}"`,
    `method="${method}"`,
    `intent="${intent}"`,
    `request="${request}"`,
    `expires="${expires}"`,
    ...(opaque ? [`opaque="${encodeCanonical(opaque)}"`] : []),
  ];
  return `Payment ${parts.join(', ')}`;
}
