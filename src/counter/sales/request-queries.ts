import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import {
  type RefundRequest,
  type RefundRequestRow,
  type RequestStatus,
  refundRequests,
} from './refund-request.ts';

const COLUMNS = `${refundRequests.columns('r')}, i.order_id, i.terminal_id,
  div(i.received_base_units, 10000) as received_cents`;

const FROM = `
  refund_requests r join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.intent_id`;

/** False if one is open already: the index decides. */
export async function insertRequest(tx: Queryable, request: RefundRequest): Promise<boolean> {
  const once = `on conflict (merchant_id, intent_id) where status = 'open' do nothing returning id`;
  return (await refundRequests.insert(tx, request, once)).length > 0;
}

export async function listRequests(
  db: Queryable,
  merchantId: string,
  filter: { status?: RequestStatus | undefined; terminalId?: string | undefined },
  range: Range,
): Promise<RefundRequestRow[]> {
  const conditions = new Conditions()
    .add('r.merchant_id = ?', merchantId)
    .within('r.id', range)
    .add('r.status = ?', filter.status)
    .add('i.terminal_id = ?', filter.terminalId);
  const limit = conditions.place(range.limit);
  return db.query<RefundRequestRow>(
    `select ${COLUMNS} from ${FROM} where ${conditions.where} order by r.id desc limit ${limit}`,
    conditions.values,
  );
}

export async function findRequest(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<RefundRequestRow | undefined> {
  const [row] = await db.query<RefundRequestRow>(
    `select ${COLUMNS} from ${FROM} where r.merchant_id = $1 and r.id = $2`,
    [merchantId, id],
  );
  return row;
}

/** Locks a request, so that it is decided once. */
export async function lockRequest(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<RefundRequestRow | undefined> {
  const [row] = await tx.query<RefundRequestRow>(
    `select ${COLUMNS} from ${FROM} where r.merchant_id = $1 and r.id = $2 for no key update of r`,
    [merchantId, id],
  );
  return row;
}
