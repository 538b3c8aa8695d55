import type { RequestCounter } from '../../accounts/projects/request-counter.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { RecordUsageBody } from './bodies.ts';
import { draftRecord, type UsageInput, type UsageRecorder } from './record-usage.ts';
import type { Recorded } from './usage.ts';

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
  /** One call counts once for each project it names. */
  const counted = new Map<string, Promise<void> | undefined>();
  const count = (id: string) => {
    if (!counted.has(id)) counted.set(id, counter.count({ merchantId, id }));
    return counted.get(id);
  };
  const record = async (item: unknown): Promise<Recorded | AppError> => {
    try {
      const draft = draftRecord(merchantId, checked(item), now);
      const counting = count(draft.projectId);
      if (counting) await counting;
      return await recorder.record(draft);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return error;
      throw error;
    }
  };
  return Promise.all(items.map(record));
}

function checked(item: unknown): UsageInput {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw badField('record', 'must be an object');
  check(item);
  return item as UsageInput;
}
