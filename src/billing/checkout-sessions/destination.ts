import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { listDestinations } from './creation-queries.ts';
import { findDestination } from './queries.ts';

const MAX_TRIES = 5;

/** Thrown when the payout address changed between looking it up and using it. */
class DestinationMoved extends Error {}

/** Payments can only be requested once a payout address is set. */
class NoDestination extends AppError {
  constructor(reader: Reader) {
    super('INVALID_STATE', { message: NO_DESTINATION[reader] });
  }
}

/** Reader of an error about the address: the merchant, who can change it, or a buyer, who cannot. */
type Reader = 'merchant' | 'payer';

const NO_DESTINATION: Record<Reader, string> = {
  merchant: 'Set a payout address before you request payments.',
  payer: 'The seller cannot take payments at the moment. Nothing was charged.',
};

/**
 * Runs `work` with the address a project's money goes to, which is watched before any payment is requested there.
 * Starts over if the address changes meanwhile. Undefined: there is no such project.
 */
export async function withDestination<Result>(
  db: Database,
  ensureWatched: EnsureWatched,
  project: { merchantId: string; projectId: string },
  expiresAt: Date,
  work: (destination: string | undefined) => Promise<Result>,
  reader: Reader = 'merchant',
): Promise<Result> {
  const { merchantId, projectId } = project;
  for (let tries = 1; ; tries++) {
    const found = await findDestination(db, merchantId, projectId);
    if (found?.destination) await ensureWatched(found.destination, merchantId, expiresAt);
    try {
      return await work(found?.destination ?? undefined);
    } catch (error) {
      if (error instanceof NoDestination) throw new NoDestination(reader);
      if (!(error instanceof DestinationMoved) || tries >= MAX_TRIES) throw error;
    }
  }
}

/** The address, if it is still the one that was looked up. */
export async function requireDestination(
  tx: Queryable,
  { merchantId, projectId }: { merchantId: string; projectId: string },
  expected: string | undefined,
): Promise<string> {
  const destination = (await findDestination(tx, merchantId, projectId))?.destination ?? undefined;
  if (destination !== expected) throw new DestinationMoved();
  if (destination === undefined) throw new NoDestination('merchant');
  return destination;
}

/** Lists the present payout addresses for new sessions of these projects; a project without one is left out. */
export async function findDestinations(
  db: Queryable,
  projects: readonly Ref[],
): Promise<{ merchantId: string; projectId: string; destination: string }[]> {
  const found = await listDestinations(db, projects);
  return found.flatMap(({ destination, ...project }) => (destination ? [{ ...project, destination }] : []));
}
