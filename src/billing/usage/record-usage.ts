import type { Database } from '../../platform/db/database.ts';
import { isStatementError } from '../../platform/db/database-errors.ts';
import { inProgressOnLockTimeout } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { coalesce } from '../../platform/lib/coalesce.ts';
import { newId } from '../../platform/lib/ids.ts';
import { insertFreeRecords, listCircumstances } from './queries.ts';
import { recordTogether } from './record-together.ts';
import { type Circumstances, checkUsage, type Recorded, type UsageRecord } from './usage.ts';

export interface UsageInput {
  projectId: string;
  metric: string;
  quantity: number;
  customerId?: string | null;
  subscriptionId?: string | null;
  idempotencyKey: string;
}

export interface UsageRecorder {
  record(draft: UsageRecord): Promise<Recorded>;
}

/** A whole batch of the API goes into one statement. */
const BATCH = { maxBatch: 1_000, maxInFlight: 2 };
const MAX_REMEMBERED = 10_000;

/**
 * Records usage: whatever arrives while a statement is under way goes together into the next one, and one commit
 * serves all of it. Metrics that take credits go another way, where the balances are locked too.
 */
export function usageRecorder(db: Database, clock: Clock): UsageRecorder {
  const insert = coalesce<UsageRecord, Circumstances | UsageRecord>(
    (records) => each(records, (some) => insertFree(db, some)),
    BATCH,
  );
  const recordLocked = coalesce<UsageRecord, Recorded>(
    (records) => each(records, (some) => db.transaction((tx) => recordTogether(tx, some, clock.now()))),
    BATCH,
  );
  /** Metrics that took credits a moment ago: only a hint, so that they need not try the other way first. */
  const taking = new Set<string>();

  return {
    async record(draft) {
      const metric = `${draft.projectId} ${draft.metric}`;
      if (!taking.has(metric)) {
        const met = await insert(draft).catch(inProgressOnLockTimeout);
        if ('id' in met) return { record: met, isDuplicate: false };
        const decision = checkUsage(draft, met);
        if (!('credits' in decision)) return decision;
      }
      const recorded = await recordLocked(draft).catch(inProgressOnLockTimeout);
      if (recorded.record.credits === 0n) taking.delete(metric);
      else {
        if (taking.size >= MAX_REMEMBERED) taking.clear();
        taking.add(metric);
      }
      return recorded;
    },
  };
}

/** The request as the record it becomes. */
export function draftRecord(merchantId: string, input: UsageInput, now: Date): UsageRecord {
  return {
    id: newId(now),
    merchantId,
    projectId: input.projectId.toLowerCase(),
    metric: input.metric,
    quantity: BigInt(input.quantity),
    customerId: input.customerId?.toLowerCase() ?? null,
    subscriptionId: input.subscriptionId?.toLowerCase() ?? null,
    idempotencyKey: input.idempotencyKey,
    credits: 0n,
    createdAt: now,
  };
}

/** Each record as it was written, or why it was not. */
async function insertFree(
  db: Database,
  records: readonly UsageRecord[],
): Promise<(Circumstances | UsageRecord)[]> {
  const written = new Map(
    (await insertFreeRecords(db, records)).map(({ id, customerId }) => [id, customerId]),
  );
  const missed = records.filter(({ id }) => !written.has(id));
  const met = missed.length === 0 ? new Map<string, Circumstances>() : await listCircumstances(db, missed);
  return records.map((record) => met.get(record.id) ?? { ...record, customerId: written.get(record.id)! });
}

/** A record the database refuses fails its whole statement; then each is tried alone, so that only that one fails. */
async function each<Outcome>(
  records: readonly UsageRecord[],
  run: (records: readonly UsageRecord[]) => Promise<Outcome[]>,
): Promise<(Outcome | Error)[]> {
  try {
    return await run(records);
  } catch (error) {
    if (records.length === 1 || !isStatementError(error)) throw error;
    return Promise.all(
      records.map((record) =>
        run([record]).then(
          ([outcome]) => outcome!,
          (alone: Error) => alone,
        ),
      ),
    );
  }
}
