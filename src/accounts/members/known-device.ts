import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sessionCookie } from '../../platform/http/session-cookie.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { newToken } from '../../platform/lib/token.ts';
import { findDevice, knownDevices, updateDeviceToken, updateDeviceUsed } from './device-queries.ts';
import type { Member } from './member.ts';
import { hashSecret } from './session.ts';

/** The longest that browsers keep a cookie. */
const LIFE_DAYS = 400;

export const deviceCookie = sessionCookie('florin_device', LIFE_DAYS * 86_400);

/** True if someone with this e-mail address has signed in with this browser before. */
export async function isKnownDevice(
  db: Queryable,
  token: string | undefined,
  email: string,
  now: Date,
): Promise<boolean> {
  return token !== undefined && (await findDevice(db, hashSecret(token), email, now));
}

/**
 * Makes the browser a known device of this member, and returns its cookie. A cookie that was not this member's is
 * replaced, so that it cannot have been planted; other members of the same browser stay known.
 */
export async function rememberDevice(
  tx: Tx,
  { merchantId, id: memberId }: Pick<Member, 'merchantId' | 'id'>,
  token: string | undefined,
  now: Date,
): Promise<string> {
  const device = { merchantId, memberId, expiresAt: addDays(now, LIFE_DAYS) };
  if (token && (await updateDeviceUsed(tx, { ...device, tokenHash: hashSecret(token) }))) return token;
  const fresh = newToken('device');
  if (token) await updateDeviceToken(tx, hashSecret(token), hashSecret(fresh));
  await knownDevices.insert(tx, { ...device, tokenHash: hashSecret(fresh) });
  return fresh;
}
