import type { EnsureWatched } from '../chain/solana/watched-account.ts';
import type { Principal } from '../platform/access/principal.ts';
import type { Database } from '../platform/db/database.ts';
import { isStatementError } from '../platform/db/database-errors.ts';
import type { Answer } from '../platform/http/route.ts';
import { InFlightRequests } from '../platform/idempotency/in-flight-requests.ts';
import {
  fingerprintOf,
  forgetExpired,
  inProgressOnLockTimeout,
  replay,
  withIdempotency,
} from '../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { coalesce } from '../platform/lib/coalesce.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { Cents } from '../platform/lib/money.ts';
import { findObstacle, insertIntentAlone, insertIntents, type NewIntentRow } from './creation-queries.ts';
import { draftIntent } from './draft-intent.ts';
import type { Intent } from './intent.ts';
import type { PaymentUrlPlace } from './payment-url.ts';
import { presentIntent } from './present.ts';
import { showOnTerminal } from './show-on-terminal.ts';
import { storeNewIntents } from './store-new-intents.ts';

export interface CreateIntent {
  principal: Principal;
  body: { amountCents: Cents; orderId: string; terminalId?: string | null };
  key: string | undefined;
  /** Turns the presented intent into the bytes that are answered and stored. */
  serialize(view: object): string;
}

const OPERATION = 'createIntent';
/** Measured: beyond 128 rows a batch gains nothing, and a second one beside it does from 32 on. */
const BATCH = { maxBatch: 128, maxInFlight: 2, minBeside: 32 };

export interface IntentCreatorParts extends PaymentUrlPlace {
  db: Database;
  clock: Clock;
  lifeMinutes: number;
  ensureWatched: EnsureWatched;
}

/**
 * Creates intents. A plain one is batched with whatever else arrives meanwhile into one statement: key,
 * intent and stored answer commit together, and one commit serves the whole batch.
 */
export function intentCreator(parts: IntentCreatorParts) {
  const { db, clock, lifeMinutes, ensureWatched } = parts;
  const inFlight = new InFlightRequests();
  const insert = coalesce<NewIntentRow, boolean>((rows) => insertBatch(db, rows), BATCH);

  return async function createIntent(input: CreateIntent): Promise<Answer> {
    const { principal, body, key } = input;
    if (body.terminalId) return createThere(input);
    if (key === undefined) return createAlone(input);
    const claim = {
      merchantId: principal.merchantId,
      operation: OPERATION,
      key,
      fingerprint: fingerprintOf(body),
    };
    return inFlight.run(claim, () => createAlone(input, claim));
  };

  async function createThere(input: CreateIntent): Promise<Answer> {
    for (let address = input.principal.payoutAddress; ; ) {
      const intent = draft(input, address, clock.now(), lifeMinutes);
      await ensureWatched(intent.destinationAddress, intent.merchantId, intent.expiresAt);
      try {
        return await createInTransaction(db, intent, input, parts);
      } catch (error) {
        if (!(error instanceof AddressChanged)) throw error;
        address = error.payoutAddress;
      }
    }
  }

  async function createAlone(input: CreateIntent, claim?: Parameters<typeof replay>[1]): Promise<Answer> {
    for (let address = input.principal.payoutAddress; ; ) {
      const intent = draft(input, address, clock.now(), lifeMinutes);
      await ensureWatched(intent.destinationAddress, intent.merchantId, intent.expiresAt);
      const text = input.serialize(presentIntent(intent, parts, intent.createdAt));
      if (await insert(toRow(intent, text, claim)).catch(inProgressOnLockTimeout))
        return { status: 200, text };
      // A retry is answered with what it got before, even if its order has been paid since.
      if (claim && (await forgetExpired(db, claim, intent.createdAt))) continue;
      const before = claim && (await replay(db, claim).catch(unlessInProgress));
      if (before) return before;
      const obstacle = await findObstacle(db, intent.merchantId, intent.orderId!);
      if (!obstacle) throw new AppError('NOT_FOUND');
      if (obstacle.isOrderPaid) throw new AppError('ORDER_ALREADY_PAID');
      if (obstacle.announcesIntents) return createThere(input);
      if (claim && obstacle.payoutAddress === address)
        throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
      // The payout address changed a moment ago: build the intent again with the current one.
      address = obstacle.payoutAddress;
    }
  }
}

function draft(
  { principal, body }: CreateIntent,
  payoutAddress: string | null,
  createdAt: Date,
  lifeMinutes: number,
): Intent {
  const { amountCents, orderId, terminalId = null } = body;
  const { merchantId } = principal;
  return draftIntent({
    ...{ merchantId, amountCents, orderId, terminalId },
    ...{ payoutAddress, createdAt, lifeMinutes },
  });
}

/**
 * Writes rows and returns for each whether it was written. A row the database refuses fails its whole statement; then
 * each is tried alone, so that only that one fails.
 */
async function insertBatch(db: Database, rows: NewIntentRow[]): Promise<(boolean | Error)[]> {
  try {
    const [first] = rows;
    const inserted =
      rows.length === 1 && first!.key !== null
        ? await insertIntentAlone(db, first!)
        : await insertIntents(db, rows);
    const ids = new Set(inserted.map(({ id }) => id));
    return rows.map((row) => ids.has(row.id));
  } catch (error) {
    if (rows.length === 1 || !isStatementError(error)) throw error;
    return Promise.all(
      rows.map((row) =>
        insertBatch(db, [row]).then(
          ([isInserted]) => isInserted!,
          (alone: Error) => alone,
        ),
      ),
    );
  }
}

function toRow(intent: Intent, answer: string, claim?: { key: string; fingerprint: string }): NewIntentRow {
  return {
    id: intent.id,
    merchantId: intent.merchantId,
    orderId: intent.orderId!,
    amountCents: intent.expectedAmountCents.toString(),
    reference: intent.referenceAddress,
    destination: intent.destinationAddress,
    createdAt: intent.createdAt.toISOString(),
    expiresAt: intent.expiresAt.toISOString(),
    key: claim?.key ?? null,
    fingerprint: claim?.fingerprint ?? null,
    answer: claim ? answer : '',
  };
}

function unlessInProgress(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'IDEMPOTENCY_IN_PROGRESS') return undefined;
  throw error;
}

/** The cached payout address is no longer the merchant's. */
class AddressChanged extends Error {
  readonly payoutAddress: string | null;

  constructor(payoutAddress: string | null) {
    super('the payout address changed a moment ago');
    this.payoutAddress = payoutAddress;
  }
}

/**
 * Creates an intent that is more than a row: a terminal shows one intent at a time, so the previous one is replaced
 * first, and an endpoint may want an event of each new intent.
 */
function createInTransaction(
  db: Database,
  intent: Intent,
  input: CreateIntent,
  place: PaymentUrlPlace,
): Promise<Answer> {
  const { merchantId, createdAt: now } = intent;
  return withIdempotency(
    db,
    { merchantId, operation: OPERATION, key: input.key, body: input.body, now },
    async (tx) => {
      const obstacle = await findObstacle(tx, merchantId, intent.orderId!);
      if (obstacle?.isOrderPaid) throw new AppError('ORDER_ALREADY_PAID');
      const payoutAddress = obstacle?.payoutAddress ?? null;
      if (payoutAddress !== intent.destinationAddress) throw new AddressChanged(payoutAddress);
      if (intent.terminalId) await showOnTerminal(tx, intent, intent.terminalId, now);
      else await storeNewIntents(tx, [intent]);
      return { status: 200, text: input.serialize(presentIntent(intent, place, now)) };
    },
  );
}
