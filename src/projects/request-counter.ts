import type { Database } from '../db/database.ts';
import { type Clock, realNow, startOfNextUtcMonth } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { insertRequest } from './month-queries.ts';
import type { ProjectRef } from './project.ts';
import { monthOf } from './volume.ts';

/** How long "this project has no limit" may be known by heart: one set through another process counts within this time. */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface RequestCounter {
  /** Counts one call against the project's monthly request limit, or refuses it. Nothing to wait for: undefined. */
  count(project: ProjectRef): Promise<void> | undefined;
  /** Makes a limit that was just set count at once in this process. */
  forget(project: ProjectRef): void;
}

export function createRequestCounter(db: Database, clock: Clock): RequestCounter {
  const unlimitedUntilMs = new Map<string, number>();
  let changes = 0;

  function count(project: ProjectRef): Promise<void> | undefined {
    const knownUntilMs = unlimitedUntilMs.get(nameOf(project));
    if (knownUntilMs !== undefined && knownUntilMs > realNow().getTime()) return undefined;
    return ask(project);
  }

  async function ask(project: ProjectRef): Promise<void> {
    const now = clock.now();
    const changesBefore = changes;
    const counted = await insertRequest(db, project, monthOf(now));
    if (!counted || counted.isCounted) return;
    if (counted.limit === null) {
      // What was read before a change must not be remembered after it.
      if (changes === changesBefore) remember(project);
      return;
    }
    const waitMs = startOfNextUtcMonth(now).getTime() - now.getTime();
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    throw new AppError('PROJECT_REQUEST_LIMIT_EXCEEDED', {
      retryAfterSeconds,
      rateLimit: { limit: counted.limit, remaining: 0, resetSeconds: retryAfterSeconds },
    });
  }

  function remember(project: ProjectRef): void {
    const name = nameOf(project);
    unlimitedUntilMs.delete(name);
    if (unlimitedUntilMs.size >= MAX_REMEMBERED)
      unlimitedUntilMs.delete(unlimitedUntilMs.keys().next().value!);
    unlimitedUntilMs.set(name, realNow().getTime() + FRESH_MS);
  }

  return {
    count,
    forget(project) {
      changes++;
      unlimitedUntilMs.delete(nameOf(project));
    },
  };
}

function nameOf({ merchantId, id }: ProjectRef): string {
  return `${merchantId}/${id.toLowerCase()}`;
}
