import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import { type Sponsored, sponsoredTransactions } from '../../payments/sponsor/sponsor.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';

/** The transaction that pays an intent or may still pay it: one that lapsed or failed does not count. */
export async function findPayingTransaction(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<Sponsored | undefined> {
  const [row] = await db.query<Sponsored>(
    `select ${sponsoredTransactions.columns()} from sponsored_transactions
      where merchant_id = $1 and intent_id = $2 and state <> 'dropped' and not has_failed
      order by created_at limit 1`,
    [merchantId, intentId],
  );
  return row;
}

/** One that we signed for an intent, and that may land, or has landed and is not booked yet. */
export async function findUnbooked(db: Queryable, { merchantId, id }: Ref): Promise<Sponsored | undefined> {
  const [row] = await db.query<Sponsored>(
    `select ${sponsoredTransactions.columns('t')} from sponsored_transactions t
      where merchant_id = $1 and intent_id = $2 and state <> 'dropped' and not has_failed
        and not exists (select from payment_allocations a
                         where a.merchant_id = $1 and a.intent_id = $2 and a.signature = t.signature)
      order by created_at limit 1`,
    [merchantId, id],
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
  completedAt: Date | null;
  /** All that was paid has gone back. */
  isRefunded: boolean;
}

export async function findReceipt(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<ReceiptRow | undefined> {
  const [row] = await db.query<ReceiptRow>(
    `select i.expected_amount_cents as amount_cents, s.id as checkout_session_id,
            s.status as session_status, s.checkout_url, v.id as invoice_id,
            s.customer_id, s.external_customer_id,
            s.credit_amount, s.completed_at,
            coalesce(v.refunded_cents > 0 and v.refunded_cents >= v.amount_paid_cents, false) as is_refunded
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
  isClosed: boolean;
}

/** Finds a project's payout address and its choice about fees; without a project, the merchant's own. */
export async function findSellerTerms(
  db: Queryable,
  merchantId: string,
  projectId: string | null,
): Promise<SellerTerms | undefined> {
  const [row] = await db.query<SellerTerms>(
    `select m.id as merchant_id, p.id as project_id, coalesce(p.settings ->> 'sponsorFees', m.sponsor_fees) as sponsor_mode,
            coalesce(p.payout_address, m.payout_address) as destination,
            m.verification_status, m.closed_at is not null as is_closed
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
    `select project_id from checkout_sessions where merchant_id = $1 and payment_intent_id = $2`,
    [merchantId, intentId],
  );
  return row;
}

/**
 * True if a transaction pays an order of this project made by this route, and only this request was answered so, if
 * any.
 */
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

/** The seller's own ID for the buyer of an intent's checkout, or the wallet that signed for it. */
export async function findBuyer(db: Queryable, { merchantId, id }: Ref): Promise<string | null> {
  const [row] = await db.query<{ buyer: string | null }>(
    `select external_customer_id as buyer from checkout_sessions where merchant_id = $1 and payment_intent_id = $2`,
    [merchantId, id],
  );
  return row?.buyer ?? null;
}

/** The transaction that brings an intent its money. */
export async function findPayingSignature(
  db: Queryable,
  { merchantId, id }: Ref,
): Promise<string | undefined> {
  const [row] = await db.query<{ signature: string }>(
    `select signature from payment_allocations where merchant_id = $1 and intent_id = $2
      order by base_units desc limit 1`,
    [merchantId, id],
  );
  return row?.signature;
}

/**
 * Lists the version of the rows that each of these tokens sells: the link or the paywall, its price, product, project
 * and merchant, and the tax rates. A change of any column changes the version, whichever process makes it.
 */
export async function listSaleVersions(
  db: Queryable,
  tokens: readonly string[],
): Promise<{ token: string; version: string }[]> {
  return db.query(
    `select s.token,
            md5(concat_ws(' ', s.row, r::text, p::text, j::text, m::text,
                          case when r.tax_behavior <> 'none' then
                            (select string_agg(t::text, ' ' order by t.id) from tax_rates t
                              where t.merchant_id = s.merchant_id and t.project_id = s.project_id) end)) as version
       from (select l.public_token as token, l.merchant_id, l.project_id, l.price_id, l::text as row
               from payment_links l where l.public_token = any($1) and l.deleted_at is null
             union all
             select w.token, w.merchant_id, w.project_id, w.price_id, w::text
               from paywalls w where w.token = any($1) and w.deleted_at is null) s
       join prices r on r.merchant_id = s.merchant_id and r.id = s.price_id
       join products p on p.merchant_id = r.merchant_id and p.id = r.product_id
       join projects j on j.merchant_id = s.merchant_id and j.id = s.project_id
       join merchants m on m.id = s.merchant_id`,
    [tokens],
  );
}

/** Money of a transaction that is not assigned yet. */
export async function findUnmatched(
  db: Queryable,
  merchantId: string,
  signature: string,
): Promise<{ id: string } | undefined> {
  const [row] = await db.query<{ id: string }>(
    `select id from payment_exceptions
      where merchant_id = $1 and signature = $2 and kind = 'unmatched' and status = 'open' and refund_id is null`,
    [merchantId, signature],
  );
  return row;
}

/** True if money was given to another order, or somebody has decided about it or is sending it back. */
export async function isDecidedElsewhere(
  db: Queryable,
  { signature, destination, intentId }: { signature: string; destination: string; intentId: string },
): Promise<boolean> {
  const rows = await db.query(
    `select from payment_allocations where signature = $1 and destination = $2 and intent_id <> $3
     union all
     select from incoming_transfers t
       join watched_accounts w using (destination)
       join payment_exceptions e on e.merchant_id = w.merchant_id and e.signature = t.signature and e.destination = t.destination
      where t.signature = $1 and t.destination = $2 and e.kind = 'unmatched'
        and (e.status <> 'open' or e.refund_id is not null)`,
    [signature, destination, intentId],
  );
  return rows.length > 0;
}

/** True if a transaction pays this intent according to the books. */
export async function isAllocated(
  db: Queryable,
  { merchantId, id }: Ref,
  signature: string,
): Promise<boolean> {
  const rows = await db.query(
    'select from payment_allocations where merchant_id = $1 and intent_id = $2 and signature = $3',
    [merchantId, id, signature],
  );
  return rows.length > 0;
}

/**
 * The latest transfers of an amount to an address that nobody has been given and nobody has decided about. The last few
 * hundred there are searched, which is far more than arrive while an offer can be paid.
 */
export async function listUnclaimed(
  db: Queryable,
  { destination, baseUnits, since }: { destination: string; baseUnits: bigint; since: Date },
): Promise<{ signature: string }[]> {
  return db.query(
    `select t.signature
       from (select * from incoming_transfers where destination = $1 order by slot desc limit 300) t
      where t.received_base_units = $2 and t.block_time >= $3 and not t.has_failed
        and not exists (select from payment_allocations a
                         where a.signature = t.signature and a.destination = t.destination)
        and not exists (select from payment_exceptions e
                         where e.signature = t.signature and e.destination = t.destination
                           and (e.status <> 'open' or e.kind <> 'unmatched' or e.refund_id is not null))
      order by t.slot desc limit 20`,
    [destination, baseUnits.toString(), since],
  );
}
