import type { Queryable } from '../../platform/db/database.ts';
import type { RowOf } from '../../platform/db/table.ts';
import type { Range } from '../../platform/http/list.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import { balances, type Posting, postings } from './posting.ts';

/** A balance with what posting to it needs. */
export interface LockedBalance extends RowOf<typeof balances> {
  projectId: string;
  externalCustomerId: string | null;
  lowBalanceCredits: bigint | null;
  /** The customer was merged into another just now. */
  isMerged: boolean;
}

const WANTED = 'unnest($1::uuid[], $2::uuid[]) as w(merchant_id, customer_id)';

const wanted = (customers: readonly CustomerRef[]) => [
  customers.map(({ merchantId }) => merchantId),
  customers.map(({ customerId }) => customerId),
];

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
         join customers c on c.merchant_id = w.merchant_id and c.id = w.customer_id
     ), fresh as (
       insert into balances (merchant_id, customer_id)
       select distinct merchant_id, holder_id from wanted w
        where not exists (select from balances b where b.merchant_id = w.merchant_id and b.customer_id = w.holder_id)
        order by 1, 2 on conflict do nothing
     )
     select merchant_id, id as customer_id, holder_id from wanted where holder_id <> id`,
    wanted(customers),
  );
}

/**
 * Locks balances, so that postings of one customer follow one another; in a fixed order, to avoid deadlocks. The customers are
 * locked as well, so that nobody is merged meanwhile.
 */
export async function lockBalances(
  tx: Queryable,
  customers: readonly CustomerRef[],
): Promise<LockedBalance[]> {
  return tx.query<LockedBalance>(
    `select ${balances.columns('b')}, c.project_id, c.external_customer_id,
            (p.settings ->> 'lowBalanceCredits')::bigint as low_balance_credits, c.merged_into_id is not null as is_merged
       from balances b
       join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
       join projects p on p.merchant_id = c.merchant_id and p.id = c.project_id
      where (b.merchant_id, b.customer_id) in (select w.merchant_id, w.customer_id from ${WANTED})
      order by b.merchant_id, b.customer_id for key share of c for no key update of b`,
    wanted(customers),
  );
}

export async function updateBalances(
  tx: Queryable,
  changed: readonly RowOf<typeof balances>[],
): Promise<void> {
  await tx.query(
    `update balances b set credits = w.credits, cents = w.cents, sequence = w.sequence
       from unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::integer[])
              as w(merchant_id, customer_id, credits, cents, sequence)
      where b.merchant_id = w.merchant_id and b.customer_id = w.customer_id`,
    [
      ...wanted(changed),
      changed.map(({ credits }) => credits),
      changed.map(({ cents }) => cents),
      changed.map(({ sequence }) => sequence),
    ],
  );
}

export const findPosting = (tx: Queryable, merchantId: string, id: string) =>
  postings.find(tx, { merchantId, id });

/** The posting that took account credit for an invoice and has not been taken back. */
export async function findInvoicePosting(
  tx: Queryable,
  merchantId: string,
  invoiceId: string,
): Promise<Posting | undefined> {
  const [row] = await tx.query<Posting>(
    `select ${postings.columns('p')} from postings p
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
    `select ${postings.columns('p')} from postings p
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
    `select ${postings.columns()} from postings
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
    `select ${postings.columns()} from postings
      where merchant_id = $1 and invoice_id = $2 and counter_account = 'top_up' and reverses_id is null`,
    [merchantId, invoiceId],
  );
  return row;
}
