import type { ConnectionSecurity } from '../../platform/db/connection-security.ts';
import { DAY_MS, realNow } from '../../platform/lib/clock.ts';

/** Time that is enough to get a new certificate. */
const ENDS_SOON_MS = 21 * DAY_MS;

const HOW =
  'add ?sslmode=verify-full to DATABASE_URL, and &sslrootcert=<file> if its certificate has a private CA';

/** Says whether somebody on the way could read what goes to the database, and how long that stays so. */
export function noteConnection(
  { isRemote, protocol, isVerified, validTo }: ConnectionSecurity,
  note: (check: string, ok: boolean, detail: string) => void,
): void {
  const check = 'database connection';
  if (protocol === undefined)
    return note(check, !isRemote, isRemote ? `not encrypted: ${HOW}` : 'on this machine, without TLS');
  if (!isVerified) return note(check, false, `${protocol}, but anybody could be its server: ${HOW}`);
  const leftMs = validTo ? validTo.getTime() - realNow().getTime() : Number.POSITIVE_INFINITY;
  const day = validTo?.toISOString().slice(0, 10);
  if (leftMs < ENDS_SOON_MS)
    return note(check, false, `${protocol}; its certificate ends on ${day}: install a new one on the server`);
  note(check, true, `${protocol}, certificate valid until ${day}`);
}
