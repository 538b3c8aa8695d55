import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { Balance, Posting } from './posting.ts';

export interface CustomerRef {
  merchantId: string;
  customerId: string;
}

/** A balance with what posting to it needs. */
export interface LockedBalance extends Balance {
  sequence: number;
  projectId: string;
  externalCustomerId: string | null;
  lowBalanceCredits: bigint | null;
  /** The customer was merged into another just now. */
  isMerged: boolean;
}

const WANTED = 'json_to_recordset($1::json) as w("merchantId" uuid, "customerId" uuid)';

/**
 * A customer's balance is created with its first posting. Answers whose balance is meant where it is not the customer's own: that
 * of the one they were merged into.
 */
export async function insertBalances(
  tx: Queryable,
  customers: readonly CustomerRef[],
): Promise<(CustomerRef & { holderId: string })[]> {
  return tx.query<CustomerRef & { holderId: string }>(
    `with wanted as materialized (
       select c.merchant_id, c.id, coalesce(c.merged_into_id, c.id) as holder_id from ${WANTED}
         join customers c on c.merchant_id = w."merchantId" and c.id = w."customerId"
     ), fresh as (
       insert into balances (merchant_id, customer_id)
       select distinct merchant_id, holder_id from wanted w
        where not exists (select from balances b where b.merchant_id = w.merchant_id and b.customer_id = w.holder_id)
        order by 1, 2 on conflict do nothing
     )
     select merchant_id, id as customer_id, holder_id from wanted where holder_id <> id`,
    [stringifyJson(customers)],
  );
}

/**
 * Locks balances, so that postings of one customer follow one another; in a fixed order, to avoid deadlocks. The customers are
 * locked as well, so that nobody is merged meanwhile.
 */
export async function lockBalances(
  tx: Queryable,
  customers: readonly CustomerRef[],
): Promise<(LockedBalance & CustomerRef)[]> {
  return tx.query<LockedBalance & CustomerRef>(
    `select b.merchant_id, b.customer_id, b.credits, b.cents, b.sequence,
            c.project_id, c.external_customer_id,
            (p.settings ->> 'lowBalanceCredits')::bigint as low_balance_credits, c.merged_into_id is not null as is_merged
       from balances b
       join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
       join projects p on p.merchant_id = c.merchant_id and p.id = c.project_id
      where (b.merchant_id, b.customer_id) in (select w."merchantId", w."customerId" from ${WANTED})
      order by b.merchant_id, b.customer_id for key share of c for no key update of b`,
    [stringifyJson(customers)],
  );
}

export async function updateBalances(
  tx: Queryable,
  balances: readonly (CustomerRef & Balance & { sequence: number })[],
): Promise<void> {
  await tx.query(
    `update balances b set credits = w.credits, cents = w.cents, sequence = w.sequence
       from json_to_recordset($1::json)
              as w("merchantId" uuid, "customerId" uuid, credits numeric, cents numeric, sequence integer)
      where b.merchant_id = w."merchantId" and b.customer_id = w."customerId"`,
    [stringifyJson(balances)],
  );
}

export async function insertPostings(tx: Queryable, postings: readonly Posting[]): Promise<void> {
  await tx.query(
    `insert into postings (merchant_id, id, project_id, customer_id, delta_credits, delta_cents, credits_after,
                           cents_after, counter_account, reason, invoice_id, usage_record_id, reverses_id, created_at)
     select "merchantId", id, "projectId", "customerId", "deltaCredits", "deltaCents", "creditsAfter", "centsAfter",
            "counterAccount", reason, "invoiceId", "usageRecordId", "reversesId", "createdAt"
       from json_to_recordset($1::json) as p(
         "merchantId" uuid, id uuid, "projectId" uuid, "customerId" uuid, "deltaCredits" bigint, "deltaCents" bigint,
         "creditsAfter" numeric, "centsAfter" numeric, "counterAccount" text, reason text, "invoiceId" uuid,
         "usageRecordId" uuid, "reversesId" uuid, "createdAt" timestamptz)`,
    [stringifyJson(postings)],
  );
}

const COLUMNS = `
  id, merchant_id, project_id, customer_id,
  delta_credits, delta_cents, credits_after,
  cents_after, counter_account, reason, invoice_id,
  usage_record_id, reverses_id, created_at`;

export async function findPosting(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<Posting | undefined> {
  const [row] = await tx.query<Posting>(
    `select ${COLUMNS} from postings where merchant_id = $1 and id = $2`,
    [merchantId, id],
  );
  return row;
}

/** The posting that took account credit for an invoice and has not been taken back. */
export async function findInvoicePosting(
  tx: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<Posting | undefined> {
  const [row] = await tx.query<Posting>(
    `select ${COLUMNS} from postings p
      where merchant_id = $1 and invoice_id = $2 and counter_account = 'invoice' and reverses_id is null
        and not exists (select from postings r where r.merchant_id = p.merchant_id and r.reverses_id = p.id)`,
    [merchantId, invoiceId],
  );
  return row;
}

/** The posting that gave an invoice's account credit back and has not been taken back itself. */
export async function findReturnedPosting(
  tx: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<Posting | undefined> {
  const [row] = await tx.query<Posting>(
    `select ${COLUMNS} from postings p
      where merchant_id = $1 and invoice_id = $2 and counter_account = 'invoice' and delta_cents > 0
        and not exists (select from postings r where r.merchant_id = p.merchant_id and r.reverses_id = p.id)`,
    [merchantId, invoiceId],
  );
  return row;
}

export async function listPostings(
  db: Queryable,
  { merchantId, customerIds }: { merchantId: string; customerIds: readonly string[] },
  range: Range,
): Promise<Posting[]> {
  // The index has the order for a single customer.
  const theirs = customerIds.length === 1 ? '= ($2::uuid[])[1]' : '= any($2)';
  return db.query<Posting>(
    `select ${COLUMNS} from postings
      where merchant_id = $1 and customer_id ${theirs} and id < $3 and id >= $4 order by id desc limit $5`,
    [merchantId, customerIds, range.beforeId, range.fromId, range.limit],
  );
}

/** The posting of the prepaid credits that an invoice bought. */
export async function findTopUpPosting(
  tx: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<Posting | undefined> {
  const [row] = await tx.query<Posting>(
    `select ${COLUMNS} from postings
      where merchant_id = $1 and invoice_id = $2 and counter_account = 'top_up' and reverses_id is null`,
    [merchantId, invoiceId],
  );
  return row;
}
