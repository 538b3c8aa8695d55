import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Sponsored } from '../sponsor/sponsor.ts';

/** The transaction that pays an intent or may still pay it: one that lapsed or failed does not count. */
export async function findPayingTransaction(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<Sponsored | undefined> {
  const [row] = await db.query<Sponsored>(
    `select signature, merchant_id as "merchantId", intent_id as "intentId", payer, via,
            message_hash as "messageHash", transaction, fee_lamports as "feeLamports", state,
            has_failed as "hasFailed", last_valid_block_height as "lastValidBlockHeight", created_at as "createdAt"
       from sponsored_transactions
      where merchant_id = $1 and intent_id = $2 and state <> 'dropped' and not has_failed
      order by created_at limit 1`,
    [merchantId, intentId],
  );
  return row;
}

export interface ReceiptRow {
  amountCents: bigint;
  checkoutSessionId: string | null;
  sessionStatus: string | null;
  checkoutUrl: string | null;
  invoiceId: string | null;
  customerId: string | null;
  externalCustomerId: string | null;
  creditAmount: bigint | null;
}

export async function findReceipt(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<ReceiptRow | undefined> {
  const [row] = await db.query<ReceiptRow>(
    `select i.expected_amount_cents as "amountCents", s.id as "checkoutSessionId",
            s.status as "sessionStatus", s.checkout_url as "checkoutUrl", v.id as "invoiceId",
            s.customer_id as "customerId", s.external_customer_id as "externalCustomerId",
            s.credit_amount as "creditAmount"
       from payment_intents i
       left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       left join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
      where i.merchant_id = $1 and i.id = $2`,
    [merchantId, intentId],
  );
  return row;
}

export interface SellerTerms {
  merchantId: string;
  projectId: string | null;
  sponsorMode: SponsorMode | null;
  destination: string | null;
  verificationStatus: number;
}

/** Where a project's money goes and whether fees are paid for its payers; without a project, the merchant's own. */
export async function findSellerTerms(
  db: Queryable,
  merchantId: string,
  projectId: string | null,
): Promise<SellerTerms | undefined> {
  const [row] = await db.query<SellerTerms>(
    `select m.id as "merchantId", p.id as "projectId", coalesce(p.settings ->> 'sponsorFees', m.sponsor_fees) as "sponsorMode",
            coalesce(p.payout_address, m.payout_address) as destination,
            m.verification_status as "verificationStatus"
       from merchants m left join projects p on p.merchant_id = m.id and p.id = $2
      where m.id = $1`,
    [merchantId, projectId],
  );
  return row;
}

/** The oldest project in use whose money goes to this address. */
export async function findProjectPaidTo(
  db: Queryable,
  merchantId: string,
  payTo: string,
): Promise<{ id: string } | undefined> {
  const [row] = await db.query<{ id: string }>(
    `select p.id from projects p join merchants m on m.id = p.merchant_id
      where p.merchant_id = $1 and p.archived_at is null and coalesce(p.payout_address, m.payout_address) = $2
      order by p.id limit 1`,
    [merchantId, payTo],
  );
  return row;
}

export async function findProjectOfSession(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<{ projectId: string } | undefined> {
  const [row] = await db.query<{ projectId: string }>(
    `select project_id as "projectId" from checkout_sessions where merchant_id = $1 and payment_intent_id = $2`,
    [merchantId, intentId],
  );
  return row;
}

/** Whether a transaction pays an order of this project that came by this route, and only this request has heard so. */
export async function isOpenSettlement(
  db: Queryable,
  { signature, merchantId, intentId }: { signature: string; merchantId: string; intentId: string },
  { projectId, route, key }: { projectId: string; route: string; key: string | null },
): Promise<boolean> {
  const rows = await db.query(
    `select from sponsored_transactions t
       join order_keys k on k.merchant_id = t.merchant_id and k.route = $4 and k.intent_id = t.intent_id
       join checkout_sessions s on s.merchant_id = t.merchant_id and s.payment_intent_id = t.intent_id
      where t.signature = $1 and t.merchant_id = $2 and t.intent_id = $3 and s.project_id = $5
        and (t.answered_at is null or t.answered_key = $6)`,
    [signature, merchantId, intentId, route, projectId, key],
  );
  return rows.length > 0;
}

/** The transaction that brings an intent its money. */
export async function findPayingSignature(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ signature: string }>(
    `select signature from payment_allocations where merchant_id = $1 and intent_id = $2
      order by base_units desc limit 1`,
    [merchantId, id],
  );
  return row?.signature;
}
