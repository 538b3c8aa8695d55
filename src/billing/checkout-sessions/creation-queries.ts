import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { Session } from './session.ts';

/** Any number of new sessions. */
export async function insertSessions(tx: Queryable, sessions: readonly Session[]): Promise<void> {
  await tx.query(
    `insert into checkout_sessions (merchant_id, id, project_id, mode, origin, price_id, amount_cents, credit_amount,
       customer_id, external_customer_id, customer_email, customer_name, merchant_reference, client_reference_id,
       payment_link_id, subscription_id, payment_intent_id, token, checkout_url, success_url, cancel_url, volume_month,
       sequence, created_at, expires_at, metadata, allow_promotion_codes, trial_days, tip_percents)
     select "merchantId", id, "projectId", mode, origin, "priceId", "amountCents", "creditAmount",
            "customerId", "externalCustomerId", "customerEmail", "customerName", "merchantReference",
            "clientReferenceId", "paymentLinkId", "subscriptionId", "paymentIntentId", token, "checkoutUrl", "successUrl",
            "cancelUrl", "volumeMonth", sequence, "createdAt", "expiresAt", metadata, "allowPromotionCodes", "trialDays",
            array(select json_array_elements_text("tipPercents")::integer)
       from json_to_recordset($1::json) as s(
              "merchantId" uuid, id uuid, "projectId" uuid, mode text, origin text, "priceId" uuid,
              "amountCents" bigint, "creditAmount" bigint, "customerId" uuid, "externalCustomerId" text,
              "customerEmail" text, "customerName" text, "merchantReference" text, "clientReferenceId" text,
              "paymentLinkId" uuid, "subscriptionId" uuid, "paymentIntentId" uuid, token text, "checkoutUrl" text, "successUrl" text,
              "cancelUrl" text, "volumeMonth" date, sequence integer, "createdAt" timestamptz, "expiresAt" timestamptz, metadata jsonb,
              "allowPromotionCodes" boolean, "trialDays" integer, "tipPercents" json)`,
    [stringifyJson(sessions.map(({ lines: _onTheInvoice, ...session }) => session))],
  );
}

/** Lists the payout addresses for new sessions of these projects. */
export async function listDestinations(
  db: Queryable,
  projects: readonly { merchantId: string; id: string }[],
): Promise<{ merchantId: string; projectId: string; destination: string | null }[]> {
  return db.query(
    `select p.merchant_id as "merchantId", p.id as "projectId",
            coalesce(p.payout_address, m.payout_address) as destination
       from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join projects p on p.merchant_id = w.merchant_id and p.id = w.id
       join merchants m on m.id = p.merchant_id`,
    [projects.map((project) => project.merchantId), projects.map((project) => project.id)],
  );
}

/** Counts the trials that strangers have requested for an address since then. */
export async function countTrialsAskedFor(
  db: Queryable,
  { merchantId, customerEmail }: Pick<Session, 'merchantId' | 'customerEmail'>,
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from checkout_sessions
      where merchant_id = $1 and customer_email is not null and ${folded('customer_email')} = ${folded('$2')}
        and origin = 'link' and trial_days is not null and created_at > $3`,
    [merchantId, customerEmail, since],
  );
  return row!.count;
}
