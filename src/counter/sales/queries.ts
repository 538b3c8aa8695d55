import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits, Cents } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { RequestStatus } from './refund-request.ts';
import { type Sale, type SaleLine, tillSales } from './sale.ts';

/** A sale with what has become of it, beside its intent. */
export interface SaleRow extends Sale {
  /** Base units on chain, not final yet. */
  seenBaseUnits: BaseUnits;
  /** Listed as an exception, because it came when the sale had ended. */
  strayCents: Cents;
  /** The first token of another kind that came for it and waits for a decision. */
  otherToken: { mint: string; baseUnits: string; decimals: number | null } | null;
  /** The order that it is; null for one that is a payment alone. */
  sessionId: string | null;
  /** Status of the newest request to refund it. Canceled: it was approved, but its refund ended with no money sent. */
  request: RequestStatus | 'canceled' | null;
}

type StoredRow = Omit<SaleRow, 'lines'> & {
  lines: (Omit<SaleLine, 'unitAmountCents'> & { unitAmountCents: number })[];
};

const COLUMNS = `
  ${tillSales.columns('s', ['merchantId', 'intentId', 'tillId', 'number', 'lines', 'goodsCents'])},
  coalesce(c.tip_cents, s.tip_cents) as tip_cents, c.id as session_id,
  (select coalesce(sum(a.base_units), 0)::numeric(20,0) from payment_allocations a
    where a.merchant_id = s.merchant_id and a.intent_id = s.intent_id and not a.is_final) as seen_base_units,
  (select coalesce(sum(div(e.base_units, 10000)), 0) from payment_exceptions e
    where e.merchant_id = s.merchant_id and e.intent_id = s.intent_id and e.kind in ('canceled', 'late')
      and e.status in ('open', 'kept')) as stray_cents,
  (select json_build_object('mint', e.mint, 'baseUnits', e.base_units::text, 'decimals', e.decimals)
     from payment_exceptions e
    where e.merchant_id = s.merchant_id and e.intent_id = s.intent_id and e.kind = 'wrong_mint' and e.status = 'open'
    order by e.id limit 1) as other_token,
  (select case when f.status in ('canceled', 'expired') then 'canceled' else r.status end
     from refund_requests r left join refunds f on f.merchant_id = r.merchant_id and f.id = r.refund_id
    where r.merchant_id = s.merchant_id and r.intent_id = s.intent_id order by r.id desc limit 1) as request`;

const FROM = `
  from till_sales s
  left join checkout_sessions c on c.merchant_id = s.merchant_id and c.payment_intent_id = s.intent_id`;

/** The till's own, newest first. */
export async function listSales(db: Queryable, till: Ref, limit: number): Promise<SaleRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${COLUMNS} ${FROM} where s.merchant_id = $1 and s.till_id = $2 order by s.number desc limit $3`,
    [till.merchantId, till.id, limit],
  );
  return rows.map(toSale);
}

/** One of the till's own. */
export async function findSale(db: Queryable, till: Ref, intentId: string): Promise<SaleRow | undefined> {
  const [row] = await db.query<StoredRow>(
    `select ${COLUMNS} ${FROM} where s.merchant_id = $1 and s.till_id = $2 and s.intent_id = $3`,
    [till.merchantId, till.id, intentId],
  );
  return row && toSale(row);
}

/** One of any till, by its payment. */
export async function findSaleAt(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<SaleRow | undefined> {
  const [row] = await db.query<StoredRow>(
    `select ${COLUMNS} ${FROM} where s.merchant_id = $1 and s.intent_id = $2`,
    [merchantId, intentId],
  );
  return row && toSale(row);
}

function toSale(row: StoredRow): SaleRow {
  const lines = row.lines.map((line) => ({ ...line, unitAmountCents: BigInt(line.unitAmountCents) }));
  return { ...row, lines };
}
