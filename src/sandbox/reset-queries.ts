import type { Queryable } from '../platform/db/database.ts';

/**
 * Tables that a reset empties, in an order that every foreign key allows. Each belongs to another folder; they are
 * deleted together only here. A test checks that every table of a merchant is either listed here or kept on purpose.
 */
export const HISTORY_TABLES = [
  'set_aside_work',
  'emails',
  'notes',
  'refund_requests',
  'till_sales',
  'refund_transfers',
  'credit_notes',
  'refunds',
  'refund_counters',
  'exception_credits',
  'payment_exceptions',
  'payment_allocations',
  'submitted_signatures',
  'payment_claims',
  'reserved_amounts',
  'sponsored_transactions',
  'order_keys',
  'postings',
  'balances',
  'usage_records',
  'portal_sign_ins',
  'portal_sessions',
  'portal_email_changes',
  'invoices',
  'discount_redemptions',
  'trials',
  'checkout_sessions',
  'stuck_renewals',
  'subscriptions',
  'payment_intents',
  'credit_token_revocations',
  'customer_erasures',
  'customers',
  'webhook_deliveries',
  'undispatched_events',
  'event_positions',
  'events',
  'idempotency_keys',
  'project_months',
  // Entries first: one that is just being added up is waited for.
  'revenue_entries',
  'revenue_totals',
  'revenue_standings',
  'revenue_ranges',
] as const;

/** Tables that a reset may keep. */
export const CATALOG_TABLES = [
  'promotion_codes',
  'discounts',
  'payment_links',
  'paywalls',
  'prices',
  'tax_rates',
  'products',
  'tills',
  'terminals',
] as const;

type ResetTable = (typeof HISTORY_TABLES)[number] | (typeof CATALOG_TABLES)[number];

export const RESET_TIMEOUT_MS = 600_000;

/** Lets this transaction delete what otherwise only grows; the database itself refuses that outside the sandbox. */
export async function prepareReset(tx: Queryable): Promise<void> {
  await tx.query(
    `select set_config('florin.resetting_sandbox', 'yes', true), set_config('statement_timeout', $1, true)`,
    [String(RESET_TIMEOUT_MS)],
  );
  await tx.query('set constraints all deferred');
}

/**
 * Blocks everything that would add rows for the merchant until the transaction ends, and waits for what has started.
 */
export async function lockForReset(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query('select from merchants where id = $1 for update', [merchantId]);
  await tx.query('select from projects where merchant_id = $1 order by id for update', [merchantId]);
}

/** The merchant's watched payout addresses, locked: what is just being settled there is waited for. */
export async function listWatchedForReset(tx: Queryable, merchantId: string): Promise<string[]> {
  const rows = await tx.query<{ destination: string }>(
    'select destination from watched_accounts where merchant_id = $1 order by destination for update',
    [merchantId],
  );
  return rows.map(({ destination }) => destination);
}

/** True when a payment of this merchant went to an address that another one has now, or the other way around. */
export async function findSharedPayment(
  tx: Queryable,
  merchantId: string,
  destinations: readonly string[],
): Promise<boolean> {
  const [row] = await tx.query<{ isShared: boolean }>(
    `select exists (
       select from payment_allocations where (merchant_id = $1) <> (destination = any($2))
       union all
       select from payment_exceptions where (merchant_id = $1) <> (destination = any($2)) and kind <> 'over_refunded'
     ) as is_shared`,
    [merchantId, destinations],
  );
  return row!.isShared;
}

/** Numbers and counters start over, and so does reading the chain: at `resetAt`, without any earlier history. */
export async function updateForReset(
  tx: Queryable,
  merchantId: string,
  destinations: readonly string[],
  resetAt: Date,
): Promise<void> {
  await tx.query('update projects set last_invoice_number = 0 where merchant_id = $1', [merchantId]);
  await tx.query('update payment_links set payments_count = 0 where merchant_id = $1', [merchantId]);
  await tx.query('update discounts set redemptions_count = 0 where merchant_id = $1', [merchantId]);
  await tx.query('update terminals set current_intent_id = null where merchant_id = $1', [merchantId]);
  await tx.query(
    `update watched_accounts
        set watch_since = $2, cursor_signature = null, cursor_slot = null, proven_slot = null, proven_balance = null,
            last_problem = null, problem_since = null
      where destination = any($1)`,
    [destinations, resetAt],
  );
}

export async function deleteRows(tx: Queryable, table: ResetTable, merchantId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with gone as (delete from ${table} where merchant_id = $1${OF_CUSTOMERS[table] ?? ''} returning 1)
     select count(*)::integer as count from gone`,
    [merchantId],
  );
  return row!.count;
}

/** E-mails to members stay. */
const OF_CUSTOMERS: Partial<Record<ResetTable, string>> = { emails: ' and member_id is null' };

export async function deleteWatcherRows(tx: Queryable, destinations: readonly string[]): Promise<void> {
  for (const table of ['incoming_transfers', 'unreadable_transactions', 'node_disagreements'])
    await tx.query(`delete from ${table} where destination = any($1)`, [destinations]);
}
