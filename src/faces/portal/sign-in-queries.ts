import type { Queryable } from '../../platform/db/database.ts';

/** A customer, or somebody who says so, wants a link. */
export interface SignIn {
  id: string;
  merchantId: string;
  projectId: string;
  email: string;
  language: string;
  createdAt: Date;
}

export async function insertSignIn(db: Queryable, signIn: SignIn): Promise<void> {
  const { merchantId, id, projectId, email, language, createdAt } = signIn;
  await db.query(
    `insert into portal_sign_ins (merchant_id, id, project_id, email, language, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [merchantId, id, projectId, email, language, createdAt],
  );
}

/** Takes the one that has waited longest, if no other worker has it. */
export async function deleteOldestSignIn(tx: Queryable): Promise<SignIn | undefined> {
  const [row] = await tx.query<SignIn>(
    `delete from portal_sign_ins where ctid = any(array(
       select ctid from portal_sign_ins order by created_at limit 1 for update skip locked
     )) returning merchant_id as "merchantId", id, project_id as "projectId", email, language,
                  created_at as "createdAt"`,
  );
  return row;
}

/**
 * Of the customers of a project with this address, the one with a subscription that runs, otherwise the first: purchases by
 * payment links are theirs. Those who entered it themselves come last: it may be someone else's. Locked, so that links are counted one after the other.
 */
export async function lockCustomerToSignIn(
  tx: Queryable,
  { merchantId, projectId, email }: SignIn,
): Promise<{ id: string } | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `select c.id from customers c
      where c.merchant_id = $1 and c.project_id = $2 and c.erased_at is null
        and c.email is not null and lower(c.email) collate "C" = lower($3)
      order by c.is_email_own, exists (select from subscriptions s
                        where s.merchant_id = c.merchant_id and s.customer_id = c.id
                          and s.status in ('trialing', 'active', 'past_due')) desc, c.id
      limit 1 for no key update of c`,
    [merchantId, projectId, email],
  );
  return row;
}

/** How many links the customer has asked for since then, and how many of those can still be used. */
export async function countEmailedLinks(
  tx: Queryable,
  { merchantId, projectId, customerId }: { merchantId: string; projectId: string; customerId: string },
  { now, since }: { now: Date; since: Date },
): Promise<{ waiting: number; made: number }> {
  const [row] = await tx.query<{ waiting: number; made: number }>(
    `select (count(*) filter (where opened_at is null and expires_at > $4))::int as waiting, count(*)::int as made
       from portal_sessions
      where merchant_id = $1 and project_id = $2 and customer_id = $3 and is_by_email and created_at > $5`,
    [merchantId, projectId, customerId, now, since],
  );
  return row!;
}
