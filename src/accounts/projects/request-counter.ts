import type { Database } from '../../platform/db/database.ts';
import { type Clock, realNow, startOfNextUtcMonth } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { insertRequest } from './month-queries.ts';
import type { Named, ThingName } from './named-thing.ts';
import { findOwner, hasRequestLimits } from './owner-queries.ts';
import type { ProjectRef } from './project.ts';
import { monthOf } from './volume.ts';

/** How long "this project has no limit" may be known by heart: one set through another process counts within this time. */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface RequestCounter {
  /** Counts one call against the project's monthly request limit, or refuses it. Nothing to wait for: undefined. */
  count(project: ProjectRef): Promise<void> | undefined;
  /** The same for whatever a call names; something that is not the merchant's counts nowhere. */
  countNamed(merchantId: string, named: Named): Promise<void> | undefined;
  /** Makes a limit that was just set count at once in this process. */
  forget(project: ProjectRef): void;
  /** The same for a project that was just made. */
  forgetMerchant(merchantId: string): void;
}

export function createRequestCounter(db: Database, clock: Clock): RequestCounter {
  /** By project, and by merchant where none of its projects has a limit. */
  const unlimitedUntilMs = new Map<string, number>();
  let changes = 0;

  function isKnownUnlimited(name: string): boolean {
    const knownUntilMs = unlimitedUntilMs.get(name);
    return knownUntilMs !== undefined && knownUntilMs > realNow().getTime();
  }

  function count(project: ProjectRef): Promise<void> | undefined {
    return isKnownUnlimited(nameOf(project)) ? undefined : ask(project);
  }

  function countNamed(merchantId: string, named: Named): Promise<void> | undefined {
    if ('projectId' in named) return count({ merchantId, id: named.projectId });
    return isKnownUnlimited(merchantId) ? undefined : countOwner(merchantId, named);
  }

  async function countOwner(merchantId: string, { thing, id }: { thing: ThingName; id: string }) {
    const changesBefore = changes;
    if (!(await hasRequestLimits(db, merchantId))) {
      if (changes === changesBefore) remember(merchantId);
      return;
    }
    const owner = await findOwner(db, merchantId, thing, id);
    if (owner !== undefined) await count({ merchantId, id: owner });
  }

  async function ask(project: ProjectRef): Promise<void> {
    const now = clock.now();
    const changesBefore = changes;
    const counted = await insertRequest(db, project, monthOf(now));
    if (!counted || counted.isCounted) return;
    if (counted.limit === null) {
      // What was read before a change must not be remembered after it.
      if (changes === changesBefore) remember(nameOf(project));
      return;
    }
    const waitMs = startOfNextUtcMonth(now).getTime() - now.getTime();
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    throw new AppError('PROJECT_REQUEST_LIMIT_EXCEEDED', {
      retryAfterSeconds,
      rateLimit: { limit: counted.limit, remaining: 0, resetSeconds: retryAfterSeconds },
    });
  }

  function remember(name: string): void {
    unlimitedUntilMs.delete(name);
    if (unlimitedUntilMs.size >= MAX_REMEMBERED)
      unlimitedUntilMs.delete(unlimitedUntilMs.keys().next().value!);
    unlimitedUntilMs.set(name, realNow().getTime() + FRESH_MS);
  }

  return {
    count,
    countNamed,
    forget(project) {
      changes++;
      unlimitedUntilMs.delete(nameOf(project));
      unlimitedUntilMs.delete(project.merchantId);
    },
    forgetMerchant(merchantId) {
      changes++;
      unlimitedUntilMs.delete(merchantId);
    },
  };
}

function nameOf({ merchantId, id }: ProjectRef): string {
  return `${merchantId}/${id.toLowerCase()}`;
}
