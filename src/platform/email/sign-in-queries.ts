import type { Queryable } from '../db/database.ts';
import type { NewAddressEmail, NewSignInEmail } from './portal-email.ts';

/** Only to a customer who has an address. */
export async function insertSignInEmail(
  tx: Queryable,
  email: NewSignInEmail & { id: string },
  now: Date,
): Promise<void> {
  const { merchantId, id, projectId, customerId, kind, facts, sealedLink } = email;
  await tx.query(
    `insert into emails (merchant_id, id, project_id, customer_id, kind, number, facts, sealed_link, next_attempt_at, created_at)
     select merchant_id, $2, project_id, id, $5, 1, $6, $7, $8, $8
       from customers where merchant_id = $1 and project_id = $3 and id = $4 and email is not null`,
    [merchantId, id, projectId, customerId, kind, JSON.stringify(facts), sealedLink, now],
  );
}

/** To the addresses they name, whatever the customer's is when they are sent. */
export async function insertAddressEmails(
  tx: Queryable,
  emails: readonly (NewAddressEmail & { id: string })[],
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into emails (merchant_id, id, project_id, customer_id, kind, number, facts, sealed_link, next_attempt_at, created_at)
     select w.merchant_id, w.id, w.project_id, w.customer_id, w.kind, 1, w.facts::jsonb, decode(w.sealed_link, 'hex'), $8, $8
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[])
              as w(merchant_id, id, project_id, customer_id, kind, facts, sealed_link)`,
    [
      emails.map((email) => email.merchantId),
      emails.map((email) => email.id),
      emails.map((email) => email.projectId),
      emails.map((email) => email.customerId),
      emails.map((email) => email.kind),
      emails.map((email) => JSON.stringify(email.facts)),
      emails.map((email) => email.sealedLink?.toString('hex') ?? null),
      now,
    ],
  );
}
