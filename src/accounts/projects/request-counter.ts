import type { Database } from '../../platform/db/database.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { type Clock, realNow, startOfNextUtcMonth } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { shareWithPeers } from '../../platform/lib/peers.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { insertRequest } from './month-queries.ts';
import type { Named, ThingName } from './named-thing.ts';
import { findOwner, hasRequestLimits } from './owner-queries.ts';
import { monthOf } from './volume.ts';

/** How long "this project has no limit" is cached: a limit set by another process applies within this time. */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface RequestCounter {
  /**
   * Counts one call against the project's monthly request limit, or refuses it. Undefined if there is nothing to
   * await.
   */
  count(project: Ref): Promise<void> | undefined;
  /** The same for whatever a call names; something that is not the merchant's counts nowhere. */
  countNamed(merchantId: string, named: Named): Promise<void> | undefined;
  /** Makes a limit that was just set take effect immediately in this process. */
  forget(project: Ref): void;
  /** The same for a project that was just made. */
  forgetMerchant(merchantId: string): void;
}

export function createRequestCounter(db: Database, clock: Clock): RequestCounter {
  const unlimited = new UnlimitedNames();
  const asking = new Map<string, Promise<void>>();

  function count(project: Ref): Promise<void> | undefined {
    return unlessUnlimited(nameOf(project), () => ask(project));
  }

  /**
   * Calls that come while the first still asks wait for its answer: a thousand together, each with a query of
   * its own, would keep all connections busy until the last of them fails because the database is away.
   */
  function unlessUnlimited(name: string, askNow: () => Promise<void>): Promise<void> | undefined {
    if (unlimited.has(name)) return undefined;
    const first = asking.get(name);
    if (first) return first.then(() => (unlimited.has(name) ? undefined : askNow()));
    const own = askNow();
    const done = () => void asking.delete(name);
    asking.set(name, own.then(done, done));
    return own;
  }

  function countNamed(merchantId: string, named: Named): Promise<void> | undefined {
    if ('projectId' in named) return count({ merchantId, id: named.projectId });
    return unlessUnlimited(merchantId, () => countOwner(merchantId, named));
  }

  async function countOwner(merchantId: string, { thing, id }: { thing: ThingName; id: string }) {
    const { changes } = unlimited;
    if (!(await hasRequestLimits(db, merchantId))) return unlimited.remember(merchantId, changes);
    const owner = await findOwner(db, merchantId, thing, id);
    if (owner !== undefined) await count({ merchantId, id: owner });
  }

  async function ask(project: Ref): Promise<void> {
    const now = clock.now();
    const { changes } = unlimited;
    const counted = await insertRequest(db, project, monthOf(now));
    if (!counted || counted.isCounted) return;
    if (counted.limit === null) return unlimited.remember(nameOf(project), changes);
    const waitMs = startOfNextUtcMonth(now).getTime() - now.getTime();
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    throw new AppError('PROJECT_REQUEST_LIMIT_EXCEEDED', {
      retryAfterSeconds,
      rateLimit: { limit: counted.limit, remaining: 0, resetSeconds: retryAfterSeconds },
    });
  }

  return {
    count,
    countNamed,
    forget: (project) => unlimited.forget(nameOf(project), project.merchantId),
    forgetMerchant: (merchantId) => unlimited.forget(merchantId),
  };
}

/** Cached absence of a limit: by project, and by merchant if none of its projects has one. */
class UnlimitedNames {
  readonly #untilMs = new BoundedMap<string, number>(MAX_REMEMBERED);
  readonly #tellChanged = shareWithPeers<readonly string[]>('changed request limits', (names) =>
    this.#forgetHere(names),
  );
  /** How often limits changed here. */
  changes = 0;

  has(name: string): boolean {
    const untilMs = this.#untilMs.get(name);
    return untilMs !== undefined && untilMs > realNow().getTime();
  }

  /** Remembers what was read, unless limits have changed since: `changes` is their number before the read. */
  remember(name: string, changes: number): void {
    if (changes !== this.changes) return;
    this.#untilMs.renew(name, realNow().getTime() + FRESH_MS);
  }

  /** In all processes of this service. */
  forget(...names: string[]): void {
    this.#forgetHere(names);
    this.#tellChanged(names);
  }

  #forgetHere(names: readonly string[]): void {
    this.changes++;
    for (const name of names) this.#untilMs.delete(name);
  }
}

function nameOf({ merchantId, id }: Ref): string {
  return `${merchantId}/${id.toLowerCase()}`;
}
