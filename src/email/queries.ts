import type { Queryable } from '../platform/db/database.ts';
import { deleteSlice } from '../platform/db/delete-slice.ts';
import { isOpenMerchant } from '../platform/db/open-merchants.ts';
import { sealedOtherwise, sealPrefixes } from '../platform/db/sealed-by.ts';
import { stringifyJson } from '../platform/lib/json.ts';
import {
  type ClaimedEmail,
  type Facts,
  isForOwners,
  isOfPlan,
  isOfRefund,
  type NewEmail,
  type NewPlanEmail,
  type NewRefundEmail,
  type OwnerContent,
  type PayoutFacts,
  type PlanFacts,
  type RefundFacts,
  type RetryDecision,
} from './email.ts';
import { isOfAddress, type NewSignInEmail } from './portal-email.ts';
import { WHY_OUTDATED } from './why-outdated.ts';

export type CustomerEmail = NewEmail | NewRefundEmail | NewPlanEmail | NewSignInEmail;

/**
 * Each once for what it is about, and only to customers of the project with an address. Answers how many were written.
 */
export async function insertCustomerEmails(
  tx: Queryable,
  emails: readonly (CustomerEmail & { id: string })[],
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `insert into emails (merchant_id, id, project_id, customer_id, kind, invoice_id, refund_id, subscription_id,
                         number, facts, sealed_link, next_attempt_at, created_at)
     select c.merchant_id, l.id, c.project_id, c.id, l.kind, l."invoiceId", l."refundId", l."subscriptionId",
            coalesce(l.number, 1), l.facts, decode(l."sealedLink", 'hex'), $2, $2
       from json_to_recordset($1::json) as l(
              "merchantId" uuid, id uuid, "projectId" uuid, "customerId" uuid, kind text, "invoiceId" uuid,
              "refundId" uuid, "subscriptionId" uuid, number integer, facts jsonb, "sealedLink" text)
       join customers c on c.merchant_id = l."merchantId" and c.project_id = l."projectId" and c.id = l."customerId"
      where c.email is not null
         on conflict do nothing returning id`,
    [JSON.stringify(emails.map(storable), withTextAmounts), now],
  );
  return rows.length;
}

const storable = (email: CustomerEmail) =>
  'sealedLink' in email ? { ...email, sealedLink: email.sealedLink?.toString('hex') } : email;

/** Amounts are stored as text: a JSON number would lose digits on the way back. */
const withTextAmounts = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? value.toString() : value;

/** A claim e-mail that no worker has taken. */
export async function updateWithdrawn(
  tx: Queryable,
  merchantId: string,
  refundId: string,
  error: string,
): Promise<void> {
  await tx.query(
    `update emails set status = 'dead', error = $3, next_attempt_at = null, sealed_link = null, facts = facts - 'claimUrl',
            attempt_count = greatest(attempt_count, 1)
      where merchant_id = $1 and refund_id = $2 and kind = 'refund_claim' and next_attempt_at is not null
        and lease_id is null`,
    [merchantId, refundId, error],
  );
}

/** E-mails whose link no known key opens are not sent. */
export async function updateUnopened(
  tx: Queryable,
  merchantId: string,
  keyIds: readonly string[],
  error: string,
): Promise<number> {
  const rows = await tx.query(
    `update emails set status = 'dead', error = $3, next_attempt_at = null, sealed_link = null, facts = facts - 'claimUrl',
            lease_id = null, lease_until = null, attempt_count = greatest(attempt_count, 1)
      where merchant_id = $2 and ${sealedOtherwise('sealed_link')} returning id`,
    [sealPrefixes(keyIds), merchantId, error],
  );
  return rows.length;
}

/** One to each owner who may sign in. */
export async function insertOwnerEmails(
  tx: Queryable,
  merchantId: string,
  { kind, facts }: OwnerContent,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into emails (merchant_id, id, member_id, kind, number, facts, next_attempt_at, created_at)
     select merchant_id, gen_random_uuid(), id, $4, 1, $2, $3, $3
       from members where merchant_id = $1 and role = 'owner' and disabled_at is null and removed_at is null`,
    [merchantId, stringifyJson(facts), now, kind],
  );
}

type Stored<Value> = Value extends bigint | Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: Stored<Value[Name]> }
    : Value;

function restored(facts: Stored<Facts>): Facts {
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...facts,
    items: facts.items.map((item) => ({ ...item, amountCents: BigInt(item.amountCents) })),
    creditCents: BigInt(facts.creditCents),
    discountCents: BigInt(facts.discountCents ?? 0),
    taxes: (facts.taxes ?? []).map((tax) => ({ ...tax, taxCents: BigInt(tax.taxCents) })),
    totalCents: BigInt(facts.totalCents),
    waivedCents: BigInt(facts.waivedCents ?? 0),
    dueCents: BigInt(facts.dueCents),
    dueAt: date(facts.dueAt),
    endsAt: date(facts.endsAt),
    paidAt: date(facts.paidAt),
  };
}

function restoredRefund(facts: Stored<RefundFacts>): RefundFacts {
  return {
    ...facts,
    amountCents: BigInt(facts.amountCents),
    expiresAt: new Date(facts.expiresAt),
    sentAt: facts.sentAt === null ? null : new Date(facts.sentAt),
  } as RefundFacts;
}

function restoredPlan(facts: Stored<PlanFacts>): PlanFacts {
  return { ...facts, at: new Date(facts.at), dueCents: BigInt(facts.dueCents) };
}

function restoredTimes({ at, takesEffectAt, ...facts }: { at: string; takesEffectAt?: string }) {
  return { ...facts, at: new Date(at), ...(takesEffectAt && { takesEffectAt: new Date(takesEffectAt) }) };
}

type StoredEmail = WithStoredFacts<ClaimedEmail>;
type WithStoredFacts<Email> = Email extends { facts: infer FormattedFacts }
  ? Omit<Email, 'facts'> & { facts: Stored<FormattedFacts> }
  : never;

/**
 * Leases due e-mails, the longest waiting first, but none to these domains. Rows that another worker is taking are
 * passed over.
 */
export async function updateLeases(
  db: Queryable,
  limit: number,
  times: { now: Date; leaseUntil: Date },
  withoutDomains: readonly string[] = [],
): Promise<ClaimedEmail[]> {
  const { now, leaseUntil } = times;
  const rows = await db.query<StoredEmail>(UPDATE_LEASES, [now, leaseUntil, limit, withoutDomains]);
  return rows.map((row) => ({ ...row, facts: restoredFacts(row) }) as ClaimedEmail);
}

function restoredFacts({ kind, facts }: StoredEmail) {
  if (isForOwners(kind)) return restoredTimes(facts as Stored<PayoutFacts>);
  if (isOfPlan(kind)) return restoredPlan(facts as Stored<PlanFacts>);
  if (kind === 'portal_sign_in' || kind === 'trial_confirmation' || isOfAddress(kind)) return facts;
  return isOfRefund(kind) ? restoredRefund(facts as Stored<RefundFacts>) : restored(facts as Stored<Facts>);
}

const UPDATE_LEASES = `
  with due as materialized (
    select l.merchant_id, l.id from emails l
      left join customers c on c.merchant_id = l.merchant_id and c.id = l.customer_id
      left join members o on o.merchant_id = l.merchant_id and o.id = l.member_id
     where l.next_attempt_at <= $1 and (l.lease_until is null or l.lease_until <= $1)
       and ${isOpenMerchant('l.merchant_id')}
       and coalesce(lower(split_part(coalesce(l.facts ->> 'mailbox', c.email, o.email), '@', -1)), '') <> all($4::text[])
     order by l.next_attempt_at limit $3 for update of l skip locked
  ), leased as (
    update emails l set lease_id = gen_random_uuid(), lease_until = $2
      from due where l.merchant_id = due.merchant_id and l.id = due.id
    returning l.*
  )
  select l.merchant_id, l.id, l.kind, l.facts, l.lease_id,
         l.lease_until, l.attempt_count + 1 as attempt, l.created_at,
         coalesce(case when l.member_id is null then p.brand_name end, m.name, p.name, 'Florin') as sender_name,
         coalesce(p.brand_color, m.brand_color) as brand_color, coalesce(p.logo_file, m.logo_file) as logo_file,
         case when l.member_id is null then p.settings ->> 'supportEmail' end as reply_to, coalesce(c.name, o.name) as recipient_name,
         coalesce(l.facts ->> 'mailbox', c.email, o.email) as email, c.language, l.sealed_link, l.invoice_id,
         ${WHY_OUTDATED} as why_outdated,
         case when l.customer_id is not null and p.settings -> 'portalSignIn' = 'true' then p.id end as portal_project_id
    from leased l
    join merchants m on m.id = l.merchant_id
    left join projects p on p.merchant_id = l.merchant_id and p.id = l.project_id
    left join customers c on c.merchant_id = l.merchant_id and c.id = l.customer_id
    left join members o on o.merchant_id = l.merchant_id and o.id = l.member_id and o.removed_at is null
   order by l.next_attempt_at`;

/** False when the lease has passed to another worker. A link that opens something is not kept once nothing is left to send. */
export async function updateResult(
  db: Queryable,
  { merchantId, id, leaseId, attempt }: ClaimedEmail,
  { status, error, nextAttemptAt }: RetryDecision,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update emails
        set status = $4, error = $5, next_attempt_at = $6, attempt_count = $7,
            facts = case when $6::timestamptz is not null then facts
                         when kind = 'trial_confirmation' then facts - 'mailbox' else facts - 'claimUrl' end,
            sealed_link = case when $6::timestamptz is not null then sealed_link end,
            sent_at = case when $4 = 'sent' then $8::timestamptz end, lease_id = null, lease_until = null
      where merchant_id = $1 and id = $2 and lease_id = $3 returning id`,
    [merchantId, id, leaseId, status, error, nextAttemptAt, attempt, now],
  );
  return rows.length > 0;
}

/** How many e-mails are not sent, up to `most`, and when the first of them was or is due. */
export async function findEmailBacklog(
  db: Queryable,
  most: number,
): Promise<{ count: number; dueAt: Date | null }> {
  const [row] = await db.query<{ count: number; dueAt: Date | null }>(
    `select (select count(*)::integer from (
               select from emails where next_attempt_at is not null and ${isOpenMerchant()} limit $1) as waiting) as count,
            (select min(next_attempt_at) from emails where next_attempt_at is not null and ${isOpenMerchant()}) as due_at`,
    [most],
  );
  return row!;
}

/** Finished ones only. Returns how many were deleted. */
export async function deleteOlderThan(
  db: Queryable,
  before: Date,
  claimsBefore: Date,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `${deleteSlice(
      'emails',
      ['merchant_id', 'id'],
      "created_at < $1 and next_attempt_at is null and (kind <> 'refund_claim' or created_at < $3)",
    )} returning true`,
    [before, limit, claimsBefore],
  );
  return rows.length;
}
