import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Database } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Challenge, deleteChallenge, passkeyChallenges } from './passkey-queries.ts';

export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Passkeys belong to a host name. Browsers create none for a bare IP address, nor without https except on localhost.
 */
export function relyingParty(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isUsable = !isIP(hostname.replace(/^\[|\]$/g, '')) && (protocol === 'https:' || isLocal);
  return isUsable ? { id: hostname, origin } : undefined;
}

export function requireRelyingParty(publicUrl: string): RelyingParty {
  const party = relyingParty(publicUrl);
  if (party) return party;
  throw new AppError('INVALID_STATE', {
    message: `Passkeys require https with a host name, or http://localhost; PUBLIC_URL is ${publicUrl}.`,
  });
}

/** Ed25519, ES256, RS256: what authenticators support today. */
export const ALGORITHMS = [-8, -7, -257];

export const CHALLENGE_MINUTES = 5;

type Asked = Omit<Challenge, 'hash'>;

/** Stores what an authenticator is asked to sign. */
export async function storeChallenge(
  db: Database,
  challenge: string,
  asked: Asked,
  now: Date,
): Promise<void> {
  const expiresAt = addMinutes(now, CHALLENGE_MINUTES);
  await passkeyChallenges.insert(db, { ...asked, hash: hashOf(challenge), expiresAt });
}

/** The challenge that a credential answers, used up; undefined if it is not ours, or for another purpose. */
export async function consumeChallenge(
  db: Database,
  clientDataJSON: string,
  asked: Asked,
  now: Date,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) return undefined;
  const isOurs = await deleteChallenge(db, { ...asked, hash: hashOf(challenge) }, now);
  return isOurs ? challenge : undefined;
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(challenge: string): string {
  return hash('sha256', challenge, 'hex');
}
