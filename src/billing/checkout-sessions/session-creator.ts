import type { EmailSource } from '../../accounts/customers/customer.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isStatementError } from '../../platform/db/database-errors.ts';
import type { Answer } from '../../platform/http/route.ts';
import { InFlightRequests } from '../../platform/idempotency/in-flight-requests.ts';
import {
  fingerprintOf,
  type KeyClaim,
  withIdempotency,
} from '../../platform/idempotency/with-idempotency.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { coalesce } from '../../platform/lib/coalesce.ts';
import { type CreateSessionBody, createSession } from './create-session.ts';
import { createSessions, type SessionRequest } from './create-sessions.ts';
import { withDestination } from './destination.ts';
import { presentSession } from './present.ts';
import { SESSION_LIFE_MS, type Session } from './session.ts';

export interface SessionCreation {
  merchantId: string;
  body: CreateSessionBody;
  /** Source of the e-mail address in the body. */
  emailSource: EmailSource;
  key: string | undefined;
  /** Turns the presented session into the bytes that are answered and stored. */
  serialize(view: object): string;
}

export type CreateByKey = (input: SessionCreation) => Promise<Answer>;

export interface SessionCreatorParts {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  /** True in the sandbox, where buyers can be redirected to a page on the same machine. */
  allowLoopback: boolean;
  publicUrl(): string;
  /** Completes what costs nothing. */
  completeFree: CompleteFree;
}

export type CompleteFree = (tx: Tx, session: Session, now: Date) => Promise<Session>;

const OPERATION = 'createCheckoutSession';
/**
 * Size of batches. Two are in flight so that one transaction reads and writes what needs no invoice numbers while the
 * other has their lock.
 */
const BATCH = { maxBatch: 64, maxInFlight: 2, minBeside: 16 };
const MAX_REMEMBERED = 10_000;

/**
 * Creates sessions for keys. Gapless invoice numbers let only one transaction per project commit at a time, so
 * requests that arrive meanwhile share the next one. What is out of the ordinary runs alone, to learn why.
 */
export function sessionCreator(parts: SessionCreatorParts): CreateByKey {
  const { db, clock, ensureWatched, allowLoopback, publicUrl, completeFree } = parts;
  const inFlight = new InFlightRequests();
  /** Payout address of each project a moment ago: only a guess, which the transaction checks. */
  const destinations = new BoundedMap<string, string>(MAX_REMEMBERED);
  const open = coalesce<SessionRequest, string | undefined>(openTogether, BATCH);

  return function createByKey(input) {
    const { merchantId, body, key } = input;
    if (key === undefined) return create(input, undefined);
    const claim = { merchantId, operation: OPERATION, key, fingerprint: fingerprintOf(body) };
    return inFlight.run(claim, () => create(input, claim));
  };

  async function create(input: SessionCreation, claim: KeyClaim | undefined): Promise<Answer> {
    const { merchantId, body, emailSource } = input;
    const destination = destinations.get(`${merchantId} ${body.projectId}`);
    if (destination === undefined) return createAlone(input);
    await ensureWatched(destination, merchantId, expiryOf(clock.now()));
    const text = await open({
      merchantId,
      body,
      emailSource,
      destination,
      publicUrl: publicUrl(),
      allowLoopback,
      claim,
      write: (session) => input.serialize(presentSession(session)),
    });
    return text === undefined ? createAlone(input) : { status: 201, text };
  }

  async function openTogether(requests: SessionRequest[]): Promise<(string | undefined)[]> {
    try {
      return await db.transaction((tx) => createSessions(tx, requests, clock.now()));
    } catch (error) {
      if (!isStatementError(error)) throw error;
      return requests.map(() => undefined);
    }
  }

  function createAlone({ merchantId, body, emailSource, key, serialize }: SessionCreation): Promise<Answer> {
    const now = clock.now();
    const place = { merchantId, projectId: body.projectId };
    const request = { merchantId, operation: OPERATION, key, body, now };
    return withDestination(db, ensureWatched, place, expiryOf(now), (destination) => {
      if (destination !== undefined) destinations.set(`${merchantId} ${body.projectId}`, destination);
      return withIdempotency(db, request, async (tx) => {
        const urls = { publicUrl: publicUrl(), allowLoopback };
        const created = await createSession(tx, { merchantId, body, emailSource, destination, ...urls, now });
        const session = created.amountCents === 0n ? await completeFree(tx, created, now) : created;
        return { status: 201, text: serialize(presentSession(session)) };
      });
    });
  }
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + SESSION_LIFE_MS);
}
