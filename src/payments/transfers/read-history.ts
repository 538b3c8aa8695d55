import { eventFor, type Intent, type IntentStatus } from '../../intents/intent.ts';
import type { Database } from '../../platform/db/database.ts';
import { listEventsOf } from '../../platform/events/queries.ts';
import { parseJson } from '../../platform/lib/json.ts';
import { INTENT_CREATED } from '../../webhooks/event-types.ts';
import type { PaymentException } from './exception.ts';
import { listExceptionsOfIntent } from './exception-queries.ts';
import { explainFailures, type Failure } from './explain-failure.ts';
import { type AllocatedTransaction, listAllocatedTransactions } from './history-queries.ts';

export interface HistoryEntry {
  at: Date;
  /** Null for its creation, unless an endpoint names that event. */
  event: string | null;
  status: IntentStatus;
  amountReceivedCents: bigint;
  txSignature: string | null;
  /** Reason why an attempt brought nothing. */
  failureReason: Failure | null;
}

export interface History {
  entries: HistoryEntry[];
  transactions: AllocatedTransaction[];
  exceptions: PaymentException[];
}

/** Reads the history of an intent: each change, the transactions behind it, and the money left over. */
export async function readHistory(db: Database, intent: Intent): Promise<History> {
  const { merchantId, id } = intent;
  const [told, transactions, exceptions] = await Promise.all([
    listEventsOf(db, { merchantId, objectId: id }),
    listAllocatedTransactions(db, merchantId, id),
    listExceptionsOfIntent(db, merchantId, id),
  ]);
  const created: HistoryEntry = {
    at: intent.createdAt,
    event: null,
    status: 'pending',
    amountReceivedCents: 0n,
    txSignature: null,
    failureReason: null,
  };
  const changes = told.map(({ createdAt, event, status, body }): HistoryEntry => {
    const { data } = parseJson(body) as {
      data: { amountCents: number | bigint; txSignature: string | null };
    };
    return {
      at: createdAt,
      event,
      status: status as IntentStatus,
      amountReceivedCents: BigInt(data.amountCents),
      txSignature: data.txSignature,
      failureReason: null,
    };
  });
  const failed = changes.filter(({ event }) => event === eventFor('failed'));
  const reasons = await explainFailures(
    db,
    intent,
    failed.flatMap(({ txSignature }) => txSignature ?? []),
  );
  for (const entry of failed) entry.failureReason = reasons.get(entry.txSignature ?? '') ?? null;
  const entries = changes[0]?.event === INTENT_CREATED ? changes : [created, ...changes];
  return { entries, transactions, exceptions };
}
