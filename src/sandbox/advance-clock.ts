import type { Database } from '../platform/db/database.ts';
import type { Answer } from '../platform/http/route.ts';
import { withIdempotency } from '../platform/idempotency/with-idempotency.ts';
import { addSeconds, type Clock } from '../platform/lib/clock.ts';
import { badField } from '../platform/lib/errors.ts';
import type { ClockMover } from './move-clock.ts';

export interface ClockMove {
  advanceSeconds?: number | undefined;
  to?: Date | undefined;
}

export interface AdvanceParts {
  db: Database;
  clock: Clock;
  mover: ClockMover;
}

/** Moves the time, after every advance requested earlier. */
export async function advanceClock({ clock, mover }: AdvanceParts, move: ClockMove): Promise<void> {
  requireAhead(clock, move);
  await mover.move((begun) => goalOf(move, begun));
}

/**
 * The same once for each key. Where it goes is decided and stored first, so that repeating the call, also after the service
 * has ended in the middle of it, goes to the same time and no further.
 */
export async function advanceClockOnce(
  { db, clock, mover }: AdvanceParts,
  { merchantId, key, move }: { merchantId: string; key: string; move: ClockMove },
  serialize: (now: Date) => string,
): Promise<Answer> {
  const now = clock.now();
  const goal = goalOf(move, mover.advancingTo() ?? now);
  // Kept from the goal on: the time that the call skips must not make its key too old to count.
  const request = { merchantId, operation: 'moveSandboxClock', key, body: move, now, keptFrom: goal };
  const answer = await withIdempotency(db, request, async () => {
    requireAhead(clock, move);
    return { status: 200, text: serialize(goal) };
  });
  const decided = Date.parse((JSON.parse(answer.text) as { now: string }).now);
  if (decided > clock.now().getTime())
    await mover.move((begun) => new Date(Math.max(begun.getTime(), decided)));
  return answer;
}

function goalOf({ to, advanceSeconds }: ClockMove, begun: Date): Date {
  return to ?? addSeconds(begun, advanceSeconds!);
}

function requireAhead(clock: Clock, { to }: ClockMove): void {
  if (to && to < clock.now()) throw badField('to', 'must not be in the past');
}
