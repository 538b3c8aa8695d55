import { hashOfAddress } from '../../accounts/customers/email-change.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { deleteSlice } from '../../platform/db/delete-slice.ts';
import { folded } from '../../platform/db/folded.ts';
import type { PortalSession, Visitor } from './portal-session.ts';

/** A link or visit of somebody who was merged into another is over: it was made before they were one person. */
const isNotMerged = (sessions: string) => `not exists (
  select from customers m
   where m.merchant_id = ${sessions}.merchant_id and m.id = ${sessions}.customer_id and m.merged_into_id is not null)`;

/**
 * Condition for a valid session: a mailed link opens an account only while its address is the customer's and the
 * project offers it.
 */
const STANDS = `(${isNotMerged('portal_sessions')} and (not is_by_email or exists (
  select from customers c join projects p on p.merchant_id = c.merchant_id and p.id = c.project_id
   where c.merchant_id = portal_sessions.merchant_id and c.project_id = portal_sessions.project_id
     and c.id = portal_sessions.customer_id and ${hashOfAddress('c')} = portal_sessions.emailed_to_hash
     and p.settings -> 'portalSignIn' = 'true')))`;

/** Written by hand: the database hashes the address that the customer has. */
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
      session.askedFromHash,
    ],
  );
}

/** More than anybody has; the rest is found after the merchant has merged some. */
export const MAX_CUSTOMERS = 100;

/**
 * Condition for other customers that a mailbox stands for as well: those of the same project with its address. A wallet is an
 * identity of its own, whatever address somebody typed with it, unless the owner said whose it is.
 */
export const sharesAddress = (own: string, other: string) => `
  ${other}.merchant_id = ${own}.merchant_id and ${other}.project_id = ${own}.project_id and ${other}.id <> ${own}.id
  and ${other}.email is not null and ${folded(`${other}.email`)} = ${folded(`${own}.email`)}
  and ${other}.erased_at is null and ${isNoWallet(other)}`;

export const isNoWallet = (customer: string) =>
  `(${customer}.external_customer_id is null or ${customer}.external_customer_id not like 'solana:%' or ${customer}.merged_into_id is not null
    or exists (select from customers m where m.merchant_id = ${customer}.merchant_id and m.merged_into_id = ${customer}.id))`;

/** Only while the address that the link was mailed to is the customer's: another one was not proven by it. */
const PROVES_ADDRESS = `(is_by_email and exists (
  select from customers own where own.merchant_id = portal_sessions.merchant_id and own.id = portal_sessions.customer_id
     and ${hashOfAddress('own')} = portal_sessions.emailed_to_hash))`;

/** An address that somebody typed for an account of the merchant's that may be their own. */
const isTypists = (customer: string) => `
  (${customer}.email_source = 'typed' and (${customer}.external_customer_id is not null or exists (
     select from checkout_sessions s where s.merchant_id = ${customer}.merchant_id and s.customer_id = ${customer}.id
        and s.client_reference_id is not null)))`;

/** Customers whom nobody but the merchant or the mailbox can add come first, so that strangers who type the address crowd out none. */
const OLDEST_LAST = `order by other.email_source = 'typed', other.id desc limit ${MAX_CUSTOMERS - 1}`;

const CUSTOMER_IDS = `array(
  (select portal_sessions.customer_id) union
  (select other.id from customers own join customers other on ${sharesAddress('own', 'other')}
    where ${PROVES_ADDRESS} and own.merchant_id = portal_sessions.merchant_id and own.id = portal_sessions.customer_id
    ${OLDEST_LAST}) union
  (select m.id from customers m
    where m.merchant_id = portal_sessions.merchant_id and m.merged_into_id = portal_sessions.customer_id))`;

const VISITOR = `
  id as session_id, merchant_id, project_id, customer_id,
  ${CUSTOMER_IDS} as customer_ids,
  ${PROVES_ADDRESS} as is_by_email, return_url, visit_ends_at as expires_at`;

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
    `select id as session_id, merchant_id, project_id, opened_at,
            expires_at, ${STANDS} as stands
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
    `select ${VISITOR} from portal_sessions
      where cookie_hash = decode($1, 'hex') and visit_ends_at > $2 and ${isNotMerged('portal_sessions')}`,
    [cookieHash, now],
  );
  return row;
}

/** Returns how many were deleted; in slices, so that pruning never holds many locks. */
export async function deleteExpiredBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('portal_sessions', ['merchant_id', 'id'], 'expires_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}

/**
 * Lists those of a visitor's customers whose address somebody typed and which nothing else ties to an account of the
 * merchant's: one that is tied may be the typist's, who must not get what the mailbox's owner buys later.
 */
export async function listProven(tx: Queryable, { merchantId, customerIds }: Visitor): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select c.id from customers c
      where c.merchant_id = $1 and c.id = any($2) and c.email_source = 'typed' and c.merged_into_id is null
        and not ${isTypists('c')}
      order by c.id`,
    [merchantId, customerIds],
  );
  return rows.map(({ id }) => id);
}

/** The other customers of the address that a customer has, but for accounts that may be a stranger's who typed it. */
export async function listSharing(
  tx: Queryable,
  { merchantId, customerId }: { merchantId: string; customerId: string },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select other.id from customers own join customers other on ${sharesAddress('own', 'other')}
      where own.merchant_id = $1 and own.id = $2 and other.merged_into_id is null and not ${isTypists('other')}
      ${OLDEST_LAST}`,
    [merchantId, customerId],
  );
  return rows.map(({ id }) => id);
}
