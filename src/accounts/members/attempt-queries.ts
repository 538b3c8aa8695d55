import type { Queryable } from '../../platform/db/database.ts';

export interface AttemptRule {
  /** Failed attempts that are free before waiting starts. */
  free: number;
  maxWaitSeconds: number;
  /** The count restarts at zero after this long without a failed attempt. */
  forgetAfterSeconds: number;
}

/**
 * Counts an attempt before its outcome is known; false while the name must wait. Each attempt beyond the free ones
 * doubles the wait.
 */
export async function insertAttempt(
  tx: Queryable,
  name: string,
  rule: AttemptRule,
  now: Date,
): Promise<boolean> {
  const count = `case when a.blocked_until < $2 - make_interval(secs => $5) then 1 else a.failures + 1 end`;
  const rows = await tx.query(
    `insert into sign_in_attempts as a (name, failures, blocked_until) values ($1, 1, $2)
     on conflict (name) do update
        set failures = ${count},
            blocked_until = $2::timestamptz + make_interval(secs =>
              case when ${count} < $3::int then 0
                   else least(power(2, least(${count} - $3::int, 30)), $4::float8) end)
      where a.blocked_until <= $2
     returning true`,
    [name, now, rule.free, rule.maxWaitSeconds, rule.forgetAfterSeconds],
  );
  return rows.length > 0;
}

export async function findBlockedUntil(db: Queryable, name: string): Promise<Date | undefined> {
  const [row] = await db.query<{ blockedUntil: Date }>(
    'select blocked_until from sign_in_attempts where name = $1',
    [name],
  );
  return row?.blockedUntil;
}

/** Takes the last one back: it was no failure. Those before it still count. */
export async function updateAttemptForgiven(tx: Queryable, name: string, now: Date): Promise<void> {
  await tx.query('delete from sign_in_attempts where name = $1 and failures = 1', [name]);
  await tx.query(
    'update sign_in_attempts set failures = failures - 1, blocked_until = $2 where name = $1 and failures > 1',
    [name, now],
  );
}

export async function deleteAttempts(tx: Queryable, name: string): Promise<void> {
  await tx.query('delete from sign_in_attempts where name = $1', [name]);
}
