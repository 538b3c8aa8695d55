import type { Tx } from '../../platform/db/database.ts';
import type { Intent } from './intent.ts';
import {
  type IntentRef,
  lockIntentsByReference as lockByReference,
  lockDueIntents,
  lockIntent,
  lockIntentsById,
  lockIntentsNamed as lockNamed,
} from './queries.ts';

/** Locks intents for whoever decides about several at once; always in the same order, so nobody deadlocks. */
export function lockIntents(tx: Tx, refs: readonly IntentRef[]): Promise<Intent[]> {
  return refs.length === 0 ? Promise.resolve([]) : lockIntentsById(tx, refs);
}

export function lockOneIntent(tx: Tx, ref: IntentRef): Promise<Intent | undefined> {
  return lockIntent(tx, ref);
}

/** Those that wait at `destination` for money that names one of these accounts. */
export function lockIntentsByReference(
  tx: Tx,
  destination: string,
  accounts: readonly string[],
): Promise<Intent[]> {
  return lockByReference(tx, destination, accounts);
}

/** The same for several destinations at once. */
export function lockIntentsNamed(
  tx: Tx,
  destinations: readonly string[],
  accounts: readonly string[],
): Promise<Intent[]> {
  return lockNamed(tx, destinations, accounts);
}

/** Those at `destination` that expired before `readThrough` with nothing seen, and that nobody else has locked. */
export function lockDue(tx: Tx, destination: string, readThrough: Date, limit: number): Promise<Intent[]> {
  return lockDueIntents(tx, destination, readThrough, limit);
}
