import type { Database } from '../../platform/db/database.ts';
import { isStatementError } from '../../platform/db/database-errors.ts';
import { inProgressOnLockTimeout } from '../../platform/idempotency/with-idempotency.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { coalesce } from '../../platform/lib/coalesce.ts';
import type { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { insertFreeRecords, listCircumstances } from './queries.ts';
import { recordTogether } from './record-together.ts';
import {
  type Circumstances,
  checkUsage,
  keyOf,
  type Recorded,
  refusalOr,
  type UsageRecord,
} from './usage.ts';

export interface UsageInput {
  projectId: string;
  metric: string;
  quantity: number;
  customerId?: string | null;
  subscriptionId?: string | null;
  idempotencyKey: string;
}

export interface UsageRecorder {
  /** Records drafts and returns a result for each, in order: one that is refused does not affect the others. */
  record(drafts: readonly UsageRecord[]): Promise<(Recorded | AppError)[]>;
}

type Drafts = readonly UsageRecord[];

/** A whole batch of the API goes into one statement. Measured: with 16 that wait, a second statement does a sixth more. */
const BATCH = { maxBatch: 1_000, maxInFlight: 2, minBeside: 16, sizeOf: (drafts: Drafts) => drafts.length };
const MAX_REMEMBERED = 10_000;

/**
 * Records usage: whatever arrives while a statement is under way goes together into the next one, and one commit
 * serves all of it. Metrics that take credits go another way, where the balances are locked too.
 */
export function usageRecorder(db: Database, clock: Clock): UsageRecorder {
  const insert = coalesce<Drafts, (Circumstances | UsageRecord | Error)[]>(
    (lists) => together(lists, (records) => insertFree(db, records)),
    BATCH,
  );
  const recordLocked = coalesce<Drafts, (Recorded | Error)[]>(
    (lists) => together(lists, (records) => db.transaction((tx) => recordTogether(tx, records, clock.now()))),
    BATCH,
  );
  /** Metrics that took credits a moment ago: only a hint, so that they need not try the other way first. */
  const taking = new BoundedMap<string, true>(MAX_REMEMBERED);

  return {
    async record(drafts) {
      const outcomes = new Map<UsageRecord, Recorded | AppError>();
      const repeated = keysGivenTwice(drafts);
      const free = drafts.filter((draft) => !taking.has(metricOf(draft)) && !repeated.has(keyOf(draft)));
      const met = free.length === 0 ? [] : await insert(free);
      for (const [i, draft] of free.entries()) {
        const decision = refusalOr(() => decide(draft, met[i]!));
        if (!('credits' in decision)) outcomes.set(draft, decision);
      }
      const left = drafts.filter((draft) => !outcomes.has(draft));
      const recorded = left.length === 0 ? [] : await recordLocked(left);
      for (const [i, draft] of left.entries()) {
        const outcome = refusalOr(() => unlessFailed(recorded[i]!));
        if ('record' in outcome) note(metricOf(draft), outcome.record.credits > 0n);
        outcomes.set(draft, outcome);
      }
      return drafts.map((draft) => outcomes.get(draft)!);
    },
  };

  function note(metric: string, isTaking: boolean): void {
    if (isTaking) taking.set(metric, true);
    else taking.delete(metric);
  }
}

/** Finds keys given more than once. The first record of a key counts, even if it takes credits and another does not. */
function keysGivenTwice(drafts: Drafts): Set<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  if (drafts.length > 1) for (const key of drafts.map(keyOf)) (once.has(key) ? twice : once).add(key);
  return twice;
}

function metricOf({ projectId, metric }: UsageRecord): string {
  return `${projectId} ${metric}`;
}

function decide(draft: UsageRecord, met: Circumstances | UsageRecord | Error): ReturnType<typeof checkUsage> {
  const answer = unlessFailed(met);
  return 'id' in answer ? { record: answer, isDuplicate: false } : checkUsage(draft, answer);
}

function unlessFailed<Outcome>(outcome: Outcome | Error): Outcome {
  if (outcome instanceof Error) return inProgressOnLockTimeout(outcome);
  return outcome;
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
async function insertFree(db: Database, records: Drafts): Promise<(Circumstances | UsageRecord)[]> {
  const written = new Map(
    (await insertFreeRecords(db, records)).map(({ id, customerId }) => [id, customerId]),
  );
  const missed = records.filter(({ id }) => !written.has(id));
  const met = missed.length === 0 ? new Map<string, Circumstances>() : await listCircumstances(db, missed);
  return records.map((record) => {
    const customerId = written.get(record.id);
    if (customerId === undefined) return met.get(record.id)!;
    return customerId === record.customerId ? record : { ...record, customerId };
  });
}

/** Runs for all lists at once, and gives each its own outcomes. */
async function together<Outcome>(
  lists: readonly Drafts[],
  run: (records: Drafts) => Promise<Outcome[]>,
): Promise<(Outcome | Error)[][]> {
  const outcomes = await each(lists.flat(), run);
  let end = 0;
  return lists.map(({ length }) => {
    end += length;
    return outcomes.slice(end - length, end);
  });
}

/** A record the database refuses fails its whole statement; then each is tried alone, so that only that one fails. */
async function each<Outcome>(
  records: Drafts,
  run: (records: Drafts) => Promise<Outcome[]>,
): Promise<(Outcome | Error)[]> {
  try {
    return await run(records);
  } catch (error) {
    if (!isStatementError(error)) throw error;
    if (records.length === 1) return [error as Error];
    return (await Promise.all(records.map((record) => each([record], run)))).flat();
  }
}
