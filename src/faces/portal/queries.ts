import type { Queryable } from '../../platform/db/database.ts';
import { deleteSlice } from '../../platform/db/delete-slice.ts';
import type { PortalSession, Visitor } from './portal-session.ts';

const hashOfAddress = (customers: string) => `sha256(convert_to(lower(${customers}.email), 'UTF8'))`;

/** What was mailed opens an account only while its address is the customer's and the project offers it. */
const STANDS = `(not is_by_email or exists (
  select from customers c join projects p on p.merchant_id = c.merchant_id and p.id = c.project_id
   where c.merchant_id = portal_sessions.merchant_id and c.project_id = portal_sessions.project_id
     and c.id = portal_sessions.customer_id and ${hashOfAddress('c')} = portal_sessions.emailed_to_hash
     and p.settings -> 'portalSignIn' = 'true'))`;

export async function insertSession(tx: Queryable, session: PortalSession, tokenHash: string): Promise<void> {
  await tx.query(
    `insert into portal_sessions (merchant_id, id, project_id, customer_id, token_hash, return_url, created_at,
                                  expires_at, is_by_email, asked_from_hash, emailed_to_hash)
     select $1, $2, $3, c.id, decode($5, 'hex'), $6, $7, $8, $9, decode($10, 'hex'),
            case when $9::boolean then ${hashOfAddress('c')} end
       from customers c where c.merchant_id = $1 and c.project_id = $3 and c.id = $4`,
    [
      session.merchantId,
      session.id,
      session.projectId,
      session.customerId,
      tokenHash,
      session.returnUrl,
      session.createdAt,
      session.expiresAt,
      session.isByEmail,
      session.askedFrom,
    ],
  );
}

const VISITOR = `
  id as "sessionId", merchant_id as "merchantId", project_id as "projectId", customer_id as "customerId",
  return_url as "returnUrl", visit_ends_at as "expiresAt"`;

/**
 * Uses a link; none if it was used, has expired or is unknown. Of two concurrent uses, one waits and finds it used.
 */
export async function updateOpened(
  tx: Queryable,
  tokenHash: string,
  visit: { cookieHash: string; now: Date; endsAt: Date },
): Promise<Visitor | undefined> {
  const [row] = await tx.query<Visitor>(
    `update portal_sessions set opened_at = $2, visit_ends_at = $3, cookie_hash = decode($4, 'hex')
      where token_hash = decode($1, 'hex') and opened_at is null and expires_at > $2 and ${STANDS}
      returning ${VISITOR}`,
    [tokenHash, visit.now, visit.endsAt, visit.cookieHash],
  );
  return row;
}

export interface LinkRow {
  sessionId: string;
  merchantId: string;
  projectId: string;
  openedAt: Date | null;
  expiresAt: Date;
  /** False once a mailed link's address is no longer the customer's, or the project mails none any more. */
  stands: boolean;
}

/** The link, used or not, as far as it is remembered. */
export async function findLink(db: Queryable, tokenHash: string): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `select id as "sessionId", merchant_id as "merchantId", project_id as "projectId", opened_at as "openedAt",
            expires_at as "expiresAt", ${STANDS} as stands
       from portal_sessions where token_hash = decode($1, 'hex')`,
    [tokenHash],
  );
  return row;
}

export async function findVisitorByCookie(
  db: Queryable,
  cookieHash: string,
  now: Date,
): Promise<Visitor | undefined> {
  const [row] = await db.query<Visitor>(
    `select ${VISITOR} from portal_sessions where cookie_hash = decode($1, 'hex') and visit_ends_at > $2`,
    [cookieHash, now],
  );
  return row;
}

export async function updateLeft(tx: Queryable, { merchantId, sessionId }: Visitor): Promise<void> {
  await tx.query('update portal_sessions set cookie_hash = null where merchant_id = $1 and id = $2', [
    merchantId,
    sessionId,
  ]);
}

/** Returns how many were deleted; in slices, so that pruning never holds many locks. */
export async function deleteExpiredBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('portal_sessions', ['merchant_id', 'id'], 'expires_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}
