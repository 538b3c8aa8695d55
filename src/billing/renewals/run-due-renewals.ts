import type { DatabaseError } from 'pg';
import { isUnavailable } from '../../platform/db/database-errors.ts';
import { distinctRefs, nameOf } from '../../platform/lib/ref.ts';
import { type Alone, eachAlone } from '../../platform/set-aside/each-alone.ts';
import { type DueRef, listDue, lockDue, RENEWALS } from '../subscriptions/due-queries.ts';
import { createDueRenewals, type Destinations, listDestinationsByName } from './create-due-renewals.ts';
import { type RenewalParts, runRenewalStep, watchUntil } from './run-renewal-step.ts';
import { isUnpriceable, setAside } from './set-aside.ts';

export type { RenewalParts };

const SLICE = 1_000;
/** Number of renewals opened in one transaction, and of such transactions that run side by side. */
const BATCH = 250;
const BATCHES_AT_ONCE = 2;
const AT_ONCE = 4;

/**
 * Runs every step that is due, and returns how many. Renewals are opened in batches, every other step in its own
 * transaction; each re-reads what is stored, so any number of schedulers share the work, and another finishes what a
 * crashed one started.
 */
export function runDueRenewals(parts: RenewalParts, now: Date): Promise<number> {
  return eachAlone(parts, RENEWALS, now, async (alone) => {
    let taken = 0;
    for (;;) {
      const failed = alone.failures();
      const due = await listDue(parts.db, now, SLICE);
      const opened = await openTogether(parts, due, now);
      await alone.succeeded(due.filter(({ id }) => opened.has(id)));
      const left = due.filter(({ id }) => !opened.has(id));
      const moved = await runRenewalSteps(parts, { refs: left, alone, now });
      taken += opened.size + moved;
      if (opened.size + moved === 0 && alone.failures() === failed) return taken;
    }
  });
}

/** Opens those renewals that can be opened together, and returns which they were. */
async function openTogether(parts: RenewalParts, due: readonly DueRef[], now: Date): Promise<Set<string>> {
  if (due.length < 2) return new Set();
  const destinations = await watchDestinations(parts, due, now);
  const opened = new Set<string>();
  // Gapless numbers make one batch wait for another of the same project, so a project's renewals stay in one batch.
  const byProject = due.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1));
  const batches = chunks(byProject, BATCH).values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const batch of batches) {
      for (const id of await openBatch(parts, { due: batch, destinations, failures, now })) opened.add(id);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
  if (failures.length > 0) noteFailure(parts, due, failures[0]);
  return opened;
}

/**
 * If each succeeds alone, nothing else would report it. The database's message may quote customer data, so parts of
 * it are left out.
 */
function noteFailure({ log }: RenewalParts, { length }: readonly DueRef[], error: unknown): void {
  const { message, code, table, constraint } = error as Error & Partial<DatabaseError>;
  const reason = code?.startsWith('22') ? undefined : message;
  const fields = { subscriptions: length, reason, code, table, constraint };
  log.warn(fields, 'renewals: opening a batch failed; retrying in smaller batches');
}

/** The payout addresses of these subscriptions' projects, watched before any payment is requested there. */
async function watchDestinations(
  { db, ensureWatched }: RenewalParts,
  due: readonly DueRef[],
  now: Date,
): Promise<Destinations> {
  const projects = distinctRefs(due, 'projectId');
  const destinations = await listDestinationsByName(db, projects);
  for (const { merchantId, id } of projects) {
    const destination = destinations.get(nameOf({ merchantId, id }));
    if (destination) await ensureWatched(destination, merchantId, watchUntil(now));
  }
  return destinations;
}

/** A failing one takes only its half of the batch with it, down to itself; alone, it is reported. */
async function openBatch(
  parts: RenewalParts,
  batch: { due: readonly DueRef[]; destinations: Destinations; failures: unknown[]; now: Date },
): Promise<Iterable<string>> {
  const { due, destinations, failures, now } = batch;
  try {
    return await parts.db.transaction((tx) =>
      createDueRenewals(tx, { due, destinations, publicUrl: parts.publicUrl(), now }),
    );
  } catch (error) {
    if (isUnavailable(error)) return [];
    failures.push(error);
    if (due.length < 2) return [];
    const [first, second] = chunks(due, Math.ceil(due.length / 2));
    return [
      ...(await openBatch(parts, { ...batch, due: first! })),
      ...(await openBatch(parts, { ...batch, due: second! })),
    ];
  }
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Takes the next step of each, a few at a time. */
async function runRenewalSteps(
  parts: RenewalParts,
  { refs, alone, now }: { refs: readonly DueRef[]; alone: Alone; now: Date },
): Promise<number> {
  const next = (await stillDue(parts, refs, now)).values();
  let moved = 0;
  const step = (ref: DueRef) =>
    runRenewalStep(parts, ref, now).catch(async (error: unknown) => {
      if (!isUnpriceable(error)) throw error;
      await setAside(parts, ref, error, now);
      return false;
    });
  const work = async () => {
    for (const ref of next) if (await alone(ref, () => step(ref))) moved++;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return moved;
}

/** Waits once for what other schedulers have locked, not for each of them. */
async function stillDue(
  { db }: RenewalParts,
  refs: readonly DueRef[],
  now: Date,
): Promise<readonly DueRef[]> {
  if (refs.length < 2) return refs;
  return lockDue(db, refs, now).catch(() => refs);
}
