import type { Queryable } from '../../platform/db/database.ts';
import { deleteSlice } from '../../platform/db/delete-slice.ts';
import { folded } from '../../platform/db/folded.ts';
import {
  type EmailChange,
  type EmailChangeCounts,
  hashOfAddress,
  portalEmailChanges,
} from './email-change.ts';

const COLUMNS = portalEmailChanges.columns('w');

/** It waits only while the customer has the address that it replaces: what the merchant has set since then stays. */
const WAITS = `w.outcome is null and exists (
  select from customers c where c.merchant_id = w.merchant_id and c.id = w.customer_id and c.erased_at is null and c.merged_into_id is null
     and ${hashOfAddress('c')} is not distinct from w.from_email_hash)`;

/** Requests of one network are counted one after the other, until the transaction ends. */
export async function lockNetwork(tx: Queryable, merchantId: string, askedFrom: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `portal e-mail change ${merchantId} ${askedFrom}`,
  ]);
}

export async function countEmailChanges(
  tx: Queryable,
  { merchantId, projectId, customerId, email }: EmailChange,
  { askedFrom, since }: { askedFrom: string; since: Date },
): Promise<EmailChangeCounts> {
  const [row] = await tx.query<EmailChangeCounts>(
    `select (select count(*)::int from portal_email_changes
              where merchant_id = $1 and customer_id = $3 and created_at > $6) as of_customer,
            (select count(*)::int from portal_email_changes
              where merchant_id = $1 and project_id = $2 and ${folded('email')} = ${folded('$4')} and created_at > $6)
              as to_address,
            (select count(*)::int from portal_email_changes
              where merchant_id = $1 and project_id = $2 and asked_from_hash = decode($5, 'hex') and created_at > $6)
              as from_network`,
    [merchantId, projectId, customerId, email, askedFrom, since],
  );
  return row!;
}

/** Inserts a change for a customer that the caller has locked; the hash of the address they have is the database's. */
export async function insertEmailChange(
  tx: Queryable,
  change: EmailChange,
  { tokenHash, askedFrom }: { tokenHash: string; askedFrom: string },
): Promise<void> {
  await tx.query(
    `insert into portal_email_changes (merchant_id, id, project_id, customer_id, email, from_email_hash, is_by_email,
                                       token_hash, asked_from_hash, created_at, expires_at)
     select c.merchant_id, $2, c.project_id, c.id, $4, ${hashOfAddress('c')}, $5, decode($6, 'hex'), decode($7, 'hex'), $8, $9
       from customers c where c.merchant_id = $1 and c.id = $3`,
    [
      change.merchantId,
      change.id,
      change.customerId,
      change.email,
      change.isByEmail,
      tokenHash,
      askedFrom,
      change.createdAt,
      change.expiresAt,
    ],
  );
}

/** The address that waits to be confirmed. */
export async function findEmailChange(
  db: Queryable,
  { merchantId, customerId }: { merchantId: string; customerId: string },
  now: Date,
): Promise<EmailChange | undefined> {
  const [row] = await db.query<EmailChange>(
    `select ${COLUMNS} from portal_email_changes w
      where w.merchant_id = $1 and w.customer_id = $2 and w.expires_at > $3 and ${WAITS}`,
    [merchantId, customerId, now],
  );
  return row;
}

/** Finds the change that a link confirms, as long as it is kept, and if it is still open. */
export async function findEmailChangeByToken(
  db: Queryable,
  tokenHash: string,
  now: Date,
): Promise<(EmailChange & { isOpen: boolean }) | undefined> {
  const [row] = await db.query<EmailChange & { isOpen: boolean }>(
    `select ${COLUMNS}, w.expires_at > $2 and ${WAITS} as is_open from portal_email_changes w
      where w.token_hash = decode($1, 'hex')`,
    [tokenHash, now],
  );
  return row;
}

/** Ends what waits of a customer; none if nothing does. Of two at once, one waits and finds it ended. */
export async function updateEnded(
  tx: Queryable,
  { merchantId, customerId }: { merchantId: string; customerId: string },
  outcome: 'confirmed' | 'withdrawn' | 'replaced',
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `update portal_email_changes set outcome = $3 where merchant_id = $1 and customer_id = $2 and outcome is null
     returning id`,
    [merchantId, customerId, outcome],
  );
  return row?.id;
}

/** Lets lapse what locked customers requested in the portal and no mailbox has confirmed. */
export async function updateEmailChangesLapsed(
  tx: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    `update portal_email_changes set outcome = 'replaced'
      where merchant_id = $1 and customer_id = any($2) and outcome is null`,
    [merchantId, ids],
  );
}

/** Returns how many were deleted. */
export async function deleteEmailChangesBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('portal_email_changes', ['merchant_id', 'id'], 'expires_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}
