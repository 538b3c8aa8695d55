import type { Queryable } from '../../platform/db/database.ts';
import { type DashboardSession, dashboardSessions, type OpenSession } from './session.ts';

/** None if it has expired, was not used since `idleSince`, or its member can no longer sign in. */
export async function findOpenSession(
  db: Queryable,
  tokenHash: string,
  times: { now: Date; idleSince: Date },
): Promise<OpenSession | undefined> {
  const [row] = await db.query<OpenSession>(
    `select ${dashboardSessions.columns('s')}, m.role, o.verification_status, o.time_zone,
            o.payout_address
       from dashboard_sessions s
       join members m on m.merchant_id = s.merchant_id and m.id = s.member_id
       join merchants o on o.id = s.merchant_id
      where s.token_hash = decode($1, 'hex') and s.expires_at > $2 and s.last_seen_at > $3
        and m.disabled_at is null and m.removed_at is null`,
    [tokenHash, times.now, times.idleSince],
  );
  return row;
}

export async function updateSeen(db: Queryable, merchantId: string, id: string, now: Date): Promise<void> {
  await db.query(
    `update dashboard_sessions set last_seen_at = $3 where merchant_id = $1 and id = $2 and last_seen_at < $3`,
    [merchantId, id, now],
  );
}

/** False if the session ended meanwhile, or another confirmation was faster. */
export async function updateConfirmed(
  tx: Queryable,
  session: { merchantId: string; id: string; fromHash: string; toHash: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update dashboard_sessions set token_hash = decode($4, 'hex'), confirmed_at = $5, last_seen_at = $5
      where merchant_id = $1 and id = $2 and token_hash = decode($3, 'hex') returning true`,
    [session.merchantId, session.id, session.fromHash, session.toHash, now],
  );
  return rows.length > 0;
}

export async function listSessions(
  db: Queryable,
  merchantId: string,
  memberId: string,
  times: { now: Date; idleSince: Date },
): Promise<DashboardSession[]> {
  return db.query<DashboardSession>(
    `select ${dashboardSessions.columns('s')} from dashboard_sessions s
      where s.merchant_id = $1 and s.member_id = $2 and s.expires_at > $3 and s.last_seen_at > $4
      order by s.last_seen_at desc, s.id desc`,
    [merchantId, memberId, times.now, times.idleSince],
  );
}

/** Ends a member's sessions: one, all but one, or all. Returns how many there were. */
export async function deleteSessions(
  tx: Queryable,
  merchantId: string,
  memberId: string,
  { only = null, except = null }: { only?: string | null; except?: string | null } = {},
): Promise<number> {
  const rows = await tx.query(
    `delete from dashboard_sessions
      where merchant_id = $1 and member_id = $2 and ($3::uuid is null or id = $3) and ($4::uuid is null or id <> $4)
      returning true`,
    [merchantId, memberId, only, except],
  );
  return rows.length;
}

/** Deletes the session of any member: a browser that signs in again drops its old one. */
export async function deleteSessionByToken(tx: Queryable, tokenHash: string): Promise<void> {
  await tx.query(`delete from dashboard_sessions where token_hash = decode($1, 'hex')`, [tokenHash]);
}
