import { hash } from 'node:crypto';
import type { Database, Tx } from '../db/database.ts';
import { isLockTimeout } from '../db/database-errors.ts';
import type { Answer } from '../http/route.ts';
import { AppError } from '../lib/errors.ts';
import { canonicalJson, type Json } from '../lib/json.ts';
import { InFlightRequests } from './in-flight-requests.ts';
import { keptSince } from './prune-keys.ts';
import { deleteExpired, findAnswer, idempotencyKeys, insertClaim, type KeyClaim } from './queries.ts';

export type { KeyClaim };

export interface IdempotentRequest {
  merchantId: string;
  operation: string;
  /** Absent: the effect simply happens. */
  key: string | undefined;
  body: unknown;
  now: Date;
  /** From when on the key is kept; default: now. */
  keptFrom?: Date;
  /** False if the answer contains a secret: it is not stored, so a repeat is refused instead of answered. */
  keepAnswer?: boolean;
}

/**
 * Runs `work` at most once per key: key, effect and answer commit in one transaction. A repeat gets the
 * stored bytes; the same key with another body is a conflict. Errors are not stored.
 */
export function withIdempotency(
  db: Database,
  input: IdempotentRequest,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  if (input.key === undefined) return db.transaction(work);
  const { merchantId, operation, key } = input;
  const claim: KeyClaim = { merchantId, operation, key, fingerprint: fingerprintOf(input.body) };
  if (input.keepAnswer === false) return claimOnly(db, claim, input.now, work);
  return inFlightRequestsOf(db).run(claim, () => claimAndRun(db, claim, input, work));
}

/** Each database has its own, so that two services in one process never answer for each other. */
const inFlight = new WeakMap<Database, InFlightRequests>();

function inFlightRequestsOf(db: Database): InFlightRequests {
  const known = inFlight.get(db) ?? new InFlightRequests();
  inFlight.set(db, known);
  return known;
}

function claimOnly(
  db: Database,
  claim: KeyClaim,
  now: Date,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  return db
    .transaction(async (tx) => {
      if (await insertClaim(tx, claim, now)) return work(tx);
      if ((await deleteExpired(tx, claim, keptSince(now))) && (await insertClaim(tx, claim, now)))
        return work(tx);
      throw new AppError('IDEMPOTENCY_CONFLICT', {
        message:
          'This Idempotency-Key was already used, and a response that contains a secret is not repeated.',
      });
    })
    .catch(inProgressOnLockTimeout);
}

async function claimAndRun(
  db: Database,
  claim: KeyClaim,
  times: Pick<IdempotentRequest, 'now' | 'keptFrom'>,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { now, keptFrom = now } = times;
  const fresh = await db
    .transaction(async (tx) => {
      if (!(await insertClaim(tx, claim, keptFrom))) return undefined;
      const answer = await work(tx);
      await idempotencyKeys.update(tx, claim, { status: answer.status, answer: answer.text });
      return answer;
    })
    .catch(inProgressOnLockTimeout);
  if (fresh) return fresh;
  if (await forgetExpired(db, claim, now)) return claimAndRun(db, claim, times, work);
  return replay(db, claim);
}

/** Frees a key that was used more than a week ago and not pruned yet: true when it can be used again. */
export function forgetExpired(db: Database, claim: KeyClaim, now: Date): Promise<boolean> {
  return deleteExpired(db, claim, keptSince(now));
}

/** The stored answer of a used key, or why there is none. */
export async function replay(db: Database, claim: KeyClaim): Promise<Answer> {
  const stored = await findAnswer(db, claim.merchantId, claim.operation, claim.key);
  // Pruned between the two statements: the next try will be the first one again.
  if (!stored) throw inProgress();
  return answerOf(stored, claim.fingerprint);
}

export function answerOf(
  stored: { fingerprint: string; status: number | null; answer: string | null },
  fingerprint: string,
): Answer {
  if (stored.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_CONFLICT');
  if (stored.status === null) throw new AppError('IDEMPOTENCY_CONFLICT');
  if (stored.answer === null)
    throw new AppError('IDEMPOTENCY_CONFLICT', {
      message:
        'This request was carried out before, and its response was erased because the customer was deleted. To do it again, send a new Idempotency-Key.',
    });
  return { status: stored.status, text: stored.answer, replayed: true };
}

/** Only if it was the key that another transaction holds: any other lock says nothing about this request. */
export function inProgressOnLockTimeout(error: unknown): never {
  const { where = '' } = error as { where?: string };
  throw isLockTimeout(error) && KEYS.test(where) ? inProgress() : error;
}

/** In PostgreSQL’s words about where it waited: `… in relation "idempotency_keys"`. */
const KEYS = /"(idempotency_keys|usage_records)(_\w+)?"/;

function inProgress(): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/** Two bodies are the same request when their canonical JSON is equal. */
export function fingerprintOf(body: unknown): string {
  return hash('sha256', canonicalJson(body as Json), 'hex');
}
