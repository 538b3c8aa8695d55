import type { Database } from '../platform/db/database.ts';
import { coalesce } from '../platform/lib/coalesce.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { Ref } from '../platform/lib/ref.ts';
import type { Intent } from './intent.ts';
import { listIntentsByRef } from './queries.ts';

/** Reads that meet share one statement. Another merchant's intent is as absent as one that never was. */
export function intentReader(db: Database): (ref: Ref) => Promise<Intent> {
  return coalesce<Ref, Intent>(
    async (refs) => {
      const answers = new Array<Intent | undefined>(refs.length);
      for (const intent of await listIntentsByRef(db, refs)) answers[intent.place - 1] = intent;
      return Array.from(answers, (intent) => intent ?? new AppError('NOT_FOUND'));
    },
    { maxBatch: 128, maxInFlight: 2 },
  );
}
