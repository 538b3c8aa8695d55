import { eventFor, type Intent } from '../../intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findLastEventBody } from '../../platform/events/queries.ts';
import { parseJson } from '../../platform/lib/json.ts';
import { listAttempts } from './history-queries.ts';

/** Reasons why a transaction that names an intent brought it nothing. Only the first moved no money. */
export const FAILURES = ['failed_on_chain', 'other_token', 'elsewhere'] as const;
export type Failure = (typeof FAILURES)[number];

/** Returns the reasons why these transactions brought nothing to an address, by their signatures. */
export async function explainFailures(
  db: Queryable,
  { merchantId, destinationAddress }: Pick<Intent, 'merchantId' | 'destinationAddress'>,
  signatures: readonly string[],
): Promise<Map<string, Failure>> {
  if (signatures.length === 0) return new Map();
  const attempts = await listAttempts(db, merchantId, destinationAddress, signatures);
  return new Map(
    attempts.map(({ signature, hasFailed, isOtherToken }) => [
      signature,
      hasFailed ? 'failed_on_chain' : isOtherToken ? 'other_token' : 'elsewhere',
    ]),
  );
}

/** Returns why the attempt behind a failed intent brought nothing; null if that is not known, or there was none. */
export async function explainFailureOf(db: Queryable, intent: Intent): Promise<Failure | null> {
  if (intent.status !== 'failed') return null;
  const { merchantId, id: objectId, status } = intent;
  const body = await findLastEventBody(db, { merchantId, objectId, event: eventFor(status) });
  if (body === undefined) return null;
  const { txSignature } = (parseJson(body) as { data: { txSignature: string | null } }).data;
  if (txSignature === null) return null;
  return (await explainFailures(db, intent, [txSignature])).get(txSignature) ?? null;
}
