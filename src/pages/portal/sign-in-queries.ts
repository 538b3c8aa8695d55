import { hexHash, nullable, text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { isNoWallet } from './queries.ts';

/** Customers, or those who say they are, want links. */
export const portalSignIns = table(
  'portal_sign_ins',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    email: text,
    language: text,
    /** The network that asks; null for a request of an older version. */
    askedFromHash: nullable(hexHash),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type SignIn = RowOf<typeof portalSignIns>;

/** Takes the one that has waited longest, if no other worker has it. */
export async function deleteOldestSignIn(tx: Queryable): Promise<SignIn | undefined> {
  const [row] = await tx.query<SignIn>(
    `with oldest as materialized (
       select merchant_id, id from portal_sign_ins where ${isOpenMerchant()} order by created_at limit 1 for update skip locked
     )
     delete from portal_sign_ins s using oldest o where s.merchant_id = o.merchant_id and s.id = o.id
     returning ${portalSignIns.columns('s')}`,
  );
  return row;
}

/**
 * Finds, of the customers of a project with this address, the one whose name the visit has: first those whose address the merchant set, then
 * those whose mailbox was proven, and last those whose address somebody typed; of each, with a subscription that runs, otherwise the first. The visit shows what all of them have. Locked, so that links are counted one after the other.
 */
export async function lockCustomerToSignIn(
  tx: Queryable,
  { merchantId, projectId, email }: SignIn,
): Promise<{ id: string } | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `select c.id from customers c
      where c.merchant_id = $1 and c.project_id = $2 and c.erased_at is null and c.merged_into_id is null and ${isNoWallet('c')}
        and c.email is not null and ${folded('c.email')} = ${folded('$3')}
      order by case c.email_source when 'merchant' then 0 when 'mailbox' then 1 else 2 end, exists (select from subscriptions s
                        where s.merchant_id = c.merchant_id and s.customer_id = c.id
                          and s.status in ('trialing', 'active', 'past_due')) desc, c.id
      limit 1 for no key update of c`,
    [merchantId, projectId, email],
  );
  return row;
}

export interface EmailedLinks {
  /** Asked for by the same network: those that can still be used, and all. */
  waiting: number;
  made: number;
  /** Number of links from all networks. */
  madeForAll: number;
  /** A link that this network asked for was opened, so people there can probably read the mailbox. */
  isKnown: boolean;
}

/** The links that were mailed to the customer since then. */
export async function countEmailedLinks(
  tx: Queryable,
  { merchantId, projectId, customerId }: { merchantId: string; projectId: string; customerId: string },
  { askedFromHash, now, since }: { askedFromHash: string | null; now: Date; since: Date },
): Promise<EmailedLinks> {
  const [row] = await tx.query<EmailedLinks>(
    `select (count(*) filter (where is_own and is_new and opened_at is null and expires_at > $4))::int as waiting,
            (count(*) filter (where is_own and is_new))::int as made,
            (count(*) filter (where is_new))::int as made_for_all,
            coalesce(bool_or(is_own and opened_at is not null), false) as is_known
       from (select opened_at, expires_at, created_at > $5 as is_new,
                    asked_from_hash is not distinct from decode($6, 'hex') as is_own
               from portal_sessions
              where merchant_id = $1 and project_id = $2 and customer_id = $3 and is_by_email) links`,
    [merchantId, projectId, customerId, now, since, askedFromHash],
  );
  return row!;
}
