import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type Paywall, paywalls } from './paywall.ts';

export const findPaywall = (db: Queryable, { merchantId, id }: Ref) =>
  paywalls.find(db, { merchantId, id }, IS_KEPT);

const IS_KEPT = 'and deleted_at is null';
const TOKEN = /^pw_[0-9A-Za-z]{1,100}$/;

/** Finds a paywall by its public token, for programs, which have no key. */
export async function findPaywallByToken(
  db: Queryable,
  token: string,
  { isDeletedFound = false } = {},
): Promise<Paywall | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return paywalls.find(db, { token }, isDeletedFound ? '' : IS_KEPT);
}

export async function listPaywalls(
  db: Queryable,
  merchantId: string,
  filter: { projectId?: string | undefined; priceId?: string | undefined },
  range: Range,
): Promise<Paywall[]> {
  const conditions = new Conditions()
    .add('merchant_id = ?', merchantId)
    .within('id', range)
    .add('project_id = ?', filter.projectId)
    .add('price_id = ?', filter.priceId);
  return db.query<Paywall>(
    `select ${paywalls.columns()} from paywalls where deleted_at is null and ${conditions.where}
      order by id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

/** False where there is none. */
export async function updatePaywallDeleted(
  tx: Queryable,
  { merchantId, id }: Ref,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update paywalls set deleted_at = $3 where merchant_id = $1 and id = $2 and deleted_at is null returning id`,
    [merchantId, id, now],
  );
  return rows.length > 0;
}
