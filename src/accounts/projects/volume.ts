import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import {
  findVolume,
  insertVolume,
  insertVolumesOfSessions,
  insertVolumeWithin,
  updateVolumeDown,
  updateVolumesToZero,
} from './month-queries.ts';
import type { Project } from './project.ts';

/*
 * The use that sessions make of a project's monthly volume limit. `project` must be as lockProject read it in the same
 * transaction, so that a limit cannot be set in between and miss the session. If the same transaction also assigns an
 * invoice number, the volume comes first: everyone locks in this order.
 */

/** The UTC calendar month a moment belongs to, by its first day: `2026-11-01`. */
export function monthOf(date: Date): string {
  return `${date.toISOString().slice(0, 7)}-01`;
}

/** Counts regardless of the limit: for money that has arrived, or back when a session closes. */
export async function addVolume(tx: Tx, project: Project, month: string, deltaCents: bigint): Promise<void> {
  if (project.monthlyVolumeLimitCents === null || deltaCents === 0n) return;
  if (deltaCents > 0n) await insertVolume(tx, project, month, deltaCents);
  else await updateVolumeDown(tx, project, month, -deltaCents);
}

/** Counts, or refuses if the sum would exceed the limit: exact to the cent under any concurrency. */
export async function reserveVolume(tx: Tx, project: Project, month: string, cents: bigint): Promise<void> {
  const limit = project.monthlyVolumeLimitCents;
  if (limit === null) return;
  if (!(await insertVolumeWithin(tx, project, month, cents, limit))) throw overLimit();
}

/** Refuses what would not fit, and counts nothing. */
export async function checkVolume(tx: Tx, project: Project, month: string, cents: bigint): Promise<void> {
  const limit = project.monthlyVolumeLimitCents;
  if (limit === null) return;
  if ((await findVolume(tx, project, month)) + cents > limit) throw overLimit();
}

/** A new limit starts with what was already counted this month; the project must be locked for change. */
export async function recountVolume(tx: Tx, project: Ref, month: string): Promise<void> {
  await updateVolumesToZero(tx, project, month);
  await insertVolumesOfSessions(tx, project, month);
}

function overLimit(): AppError {
  return new AppError('PROJECT_VOLUME_LIMIT_EXCEEDED');
}
