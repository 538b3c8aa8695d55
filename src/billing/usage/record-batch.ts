import type { RequestCounter } from '../../accounts/projects/request-counter.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { RecordUsageBody } from './bodies.ts';
import { draftRecord, type UsageInput, type UsageRecorder } from './record-usage.ts';
import { type Recorded, refusalOf, refusalOr, type UsageRecord } from './usage.ts';

const check = bodyValidator(RecordUsageBody);

/**
 * Records each item on its own and returns the results in order: a bad one does not affect the others. A failure of
 * ours fails the whole call instead, and calling again is safe, because every record has a key.
 */
export async function recordBatch(
  recorder: UsageRecorder,
  counter: RequestCounter,
  call: { merchantId: string; items: readonly unknown[]; now: Date },
): Promise<(Recorded | AppError)[]> {
  const { merchantId, items, now } = call;
  const drafts = items.map((item) => refusalOr(() => draftRecord(merchantId, checked(item), now)));
  const refusals = await countProjects(counter, merchantId, drafts.filter(isDraft));
  const counted = drafts.map((draft) => (isDraft(draft) ? (refusals.get(draft.projectId) ?? draft) : draft));
  const recorded = await recorder.record(counted.filter(isDraft));
  let next = 0;
  return counted.map((draft) => (isDraft(draft) ? recorded[next++]! : draft));
}

const isDraft = (draft: UsageRecord | AppError): draft is UsageRecord => !(draft instanceof AppError);

/** One call counts once for each project it names; returns those that refuse it. */
async function countProjects(
  counter: RequestCounter,
  merchantId: string,
  drafts: readonly UsageRecord[],
): Promise<Map<string, AppError>> {
  const refusals = new Map<string, AppError>();
  const ids = new Set(drafts.map(({ projectId }) => projectId));
  const count = async (id: string) => {
    try {
      await counter.count({ merchantId, id });
    } catch (error) {
      refusals.set(id, refusalOf(error));
    }
  };
  await Promise.all([...ids].map(count));
  return refusals;
}

function checked(item: unknown): UsageInput {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw badField('record', 'must be an object');
  check(item);
  return item as UsageInput;
}
