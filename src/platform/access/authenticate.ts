import type { Database } from '../db/database.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import type { Clock } from '../lib/clock.ts';
import { realNow } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { shareWithPeers } from '../lib/peers.ts';
import { allowAddresses } from './allowed-addresses.ts';
import { type Environment, parseKey } from './key.ts';
import type { Principal } from './principal.ts';
import { findKeyOwner, type KeyOwnerRow, updateKeyUsed } from './queries.ts';

/** How long a key is cached: a key revoked by a process of another machine stops working here within this time. */
const FRESH_MS = 1_000;
const USED_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  principal: Principal;
  freshUntilMs: number;
  usedNotedMs: number;
}

export interface Authenticator {
  /** The caller behind an Authorization header that came over this connection. Every bad key gets the same 401. */
  authenticate(header: string | undefined, connection?: object): Principal | Promise<Principal>;
  /** Makes a change to a merchant or its keys visible immediately in this process. */
  forget(merchantId: string): void;
}

export function createAuthenticator(db: Database, clock: Clock, environment: Environment): Authenticator {
  const remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED);
  const asking = new Map<string, Promise<Principal>>();
  /** Until when a key is known to be invalid: a program that keeps sending it costs no look-ups. */
  const unknownUntilMs = new BoundedMap<string, number>(MAX_REMEMBERED);
  /** Last header of each open connection: most repeat their key, and hashing it takes longer than all else here. */
  const sent = new WeakMap<object, { header: string; hash: string }>();

  function hashOf(header: string | undefined, connection: object | undefined): string {
    const last = connection && sent.get(connection);
    if (last && last.header === header) return last.hash;
    const hash = parseKey(bearerOf(header), environment);
    if (!hash) throw new AppError('UNAUTHORIZED');
    if (connection) sent.set(connection, { header: header!, hash });
    return hash;
  }

  function authenticate(header: string | undefined, connection?: object): Principal | Promise<Principal> {
    const hash = hashOf(header, connection);
    const known = remembered.get(hash);
    const nowMs = realNow().getTime();
    if (known && known.freshUntilMs > nowMs) {
      noteUse(db, clock, known, nowMs);
      return unlessExpired(known.principal, clock);
    }
    if ((unknownUntilMs.get(hash) ?? 0) > nowMs) throw new AppError('UNAUTHORIZED');
    return asking.get(hash) ?? ask(hash, known?.usedNotedMs ?? 0);
  }

  /** Concurrent requests with the same unknown key share one look-up. */
  function ask(hash: string, usedNotedMs: number): Promise<Principal> {
    const answer = lookUp(hash, usedNotedMs).finally(() => asking.delete(hash));
    asking.set(hash, answer);
    return answer;
  }

  async function lookUp(hash: string, usedNotedMs: number): Promise<Principal> {
    const row = await findKeyOwner(db, hash);
    if (!row) {
      remembered.delete(hash);
      unknownUntilMs.renew(hash, realNow().getTime() + FRESH_MS);
      throw new AppError('UNAUTHORIZED');
    }
    const principal = principalOf(row, environment);
    const nowMs = realNow().getTime();
    const entry = { principal, freshUntilMs: nowMs + FRESH_MS, usedNotedMs };
    remembered.renew(hash, entry);
    noteUse(db, clock, entry, nowMs);
    return unlessExpired(principal, clock);
  }

  const forgetHere = (merchantId: string) => forgetKeys(remembered, merchantId);
  const tellChanged = shareWithPeers('changed keys', forgetHere);
  return {
    authenticate,
    forget(merchantId) {
      forgetHere(merchantId);
      tellChanged(merchantId);
    },
  };
}

function forgetKeys(remembered: Map<string, Remembered>, merchantId: string): void {
  for (const [name, entry] of remembered)
    if (entry.principal.merchantId === merchantId) remembered.delete(name);
}

function bearerOf(header: string | undefined): string {
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : '';
}

function unlessExpired(principal: Principal, clock: Clock): Principal {
  if (principal.expiresAt && principal.expiresAt <= clock.now()) throw new AppError('UNAUTHORIZED');
  return principal;
}

/** At most once a minute, and never in the way of the request. */
function noteUse(db: Database, clock: Clock, entry: Remembered, nowMs: number): void {
  if (nowMs - entry.usedNotedMs < USED_EVERY_MS) return;
  entry.usedNotedMs = nowMs;
  updateKeyUsed(db, entry.principal.merchantId, entry.principal.callerId, clock.now()).catch(() => {
    entry.usedNotedMs = 0;
  });
}

function principalOf(row: KeyOwnerRow, environment: Environment): Principal {
  return {
    merchantId: row.merchantId,
    callerId: row.id,
    actor: `key:${row.id}`,
    scopes: row.scopes,
    allowedAddresses: row.allowedAddresses && allowAddresses(row.allowedAddresses),
    expiresAt: row.expiresAt,
    isVerified: environment !== 'mainnet' || row.verificationStatus === 2,
    payoutAddress: row.payoutAddress,
    timeZone: row.timeZone,
    member: undefined,
  };
}
