import type { Database } from '../platform/db/database.ts';
import { coalesce } from '../platform/lib/coalesce.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { Intent } from './intent.ts';
import { type IntentRef, listIntentsByRef } from './queries.ts';

/** Reads that meet share one statement. Another merchant's intent is as absent as one that never was. */
export function intentReader(db: Database): (ref: IntentRef) => Promise<Intent> {
  return coalesce<IntentRef, Intent>(
    async (refs) => {
      const answers = new Array<Intent | undefined>(refs.length);
      for (const intent of await listIntentsByRef(db, refs)) answers[intent.place - 1] = intent;
      return Array.from(answers, (intent) => intent ?? new AppError('NOT_FOUND'));
    },
    { maxBatch: 128, maxInFlight: 2 },
  );
}
