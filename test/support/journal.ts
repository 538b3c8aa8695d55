import { expect } from 'vitest';
import { IS_UNALLOCATED } from '../../src/payments/transfers/exception.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { dateAt } from '../../src/platform/lib/local-days.ts';
import { csvRows } from './csv.ts';
import type { TestMerchant } from './service.ts';

export const ALWAYS = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

export type JournalRow = Record<string, string>;

/** The general ledger, checked: one side of each line, each entry and the whole in balance. */
export async function readJournal(shop: TestMerchant, query = ALWAYS): Promise<JournalRow[]> {
  const { status, text } = await shop.call('GET', `/api/v2/general-ledger?${query}`);
  expect([status, status === 200 || text]).toEqual([200, true]);
  const rows = csvRows(text);
  const { timeZone } = (await shop.call('GET', '/api/b2b/merchants/me')).body;
  const entries = Map.groupBy(rows, ({ entryId }) => entryId!);
  for (const [id, lines] of entries) expect([id, balanceOf(lines)]).toEqual([id, 0]);
  for (const row of rows) {
    expect([row.debitCents === '0', row.creditCents === '0'].filter(Boolean)).toHaveLength(1);
    expect(cents(row.debit!)).toBe(Number(row.debitCents));
    expect(cents(row.credit!)).toBe(Number(row.creditCents));
    expect(dateAt(new Date(row.time!), timeZone)).toBe(row.date);
  }
  expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).sort());
  return rows;
}

/** Debits minus credits of each account. */
export function balances(rows: readonly JournalRow[]): Record<string, number> {
  const accounts = Map.groupBy(rows, ({ account }) => account!);
  return Object.fromEntries([...accounts].map(([account, lines]) => [account, balanceOf(lines)]));
}

/** The journal agrees with payments, refunds, balances and invoices, to the cent. */
export async function expectBooksAgree(db: Database, shop: TestMerchant): Promise<void> {
  const found = balances(await readJournal(shop));
  const [wanted] = await db.query<Record<string, bigint>>(
    `select
       (select coalesce(sum(div(received_base_units, 10000)), 0) from payment_intents where merchant_id = $1)
       + (select coalesce(sum(div(base_units, 10000)), 0) from payment_exceptions e where merchant_id = $1
            and ${IS_UNALLOCATED('e')} and status <> 'linked')
       - (select coalesce(sum(div(sent_base_units, 10000)), 0) from refunds where merchant_id = $1)
       - (select coalesce(sum(div(e.base_units, 10000) - coalesce(
             (select sum(r.amount_cents) from refunds r where r.merchant_id = $1 and r.exception_id = e.id
                 and r.status = 'succeeded'), 0)), 0)
            from payment_exceptions e left join refunds o on o.merchant_id = $1 and o.id = e.refund_id
           where e.merchant_id = $1 and e.status = 'returned' and e.kind not in ('over_refunded', 'wrong_mint')
             and (e.refund_id is null or o.exception_id = e.id))
       + (select coalesce(sum(div(base_units, 10000)), 0) from payment_exceptions
           where merchant_id = $1 and status = 'returned' and kind = 'over_refunded') as wallet,
       (select coalesce(sum(cents), 0) from balances where merchant_id = $1) as credit,
       (select coalesce(sum(total_cents + credit_applied_cents - tax_cents), 0) from invoices
         where merchant_id = $1 and status = 'paid')
       + (select coalesce(sum(expected_amount_cents), 0) from payment_intents
           where merchant_id = $1 and status = 'succeeded' and session_ordering_key is null) as sales,
       (select coalesce(sum(tax_cents - (select coalesce(sum((w ->> 'taxCents')::numeric), 0)
                                           from jsonb_array_elements(waived_shares) w)), 0)
          from invoices where merchant_id = $1 and status = 'paid')
       - (select coalesce(sum(tax_cents), 0) from credit_notes where merchant_id = $1) as tax`,
    [shop.id],
  );
  const of = (account: string) => found[account] ?? 0;
  expect({
    wallet: of('USDC wallet'),
    credit: 0 - of('Account credit'),
    sales: 0 - of('Sales') - of('Tips'),
    tax: 0 - of('Tax payable'),
  }).toEqual(Object.fromEntries(Object.entries(wanted!).map(([name, sum]) => [name, Number(sum)])));
}

function balanceOf(rows: readonly JournalRow[]): number {
  return rows.reduce((sum, row) => sum + Number(row.debitCents) - Number(row.creditCents), 0);
}

function cents(dollars: string): number {
  expect(dollars).toMatch(/^(\d+\.\d\d)?$/);
  return Math.round(Number(dollars) * 100);
}
