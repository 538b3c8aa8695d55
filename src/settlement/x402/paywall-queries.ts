import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Paywall } from './paywall.ts';

const COLUMNS = `
  id, merchant_id, project_id, price_id, token,
  resource_url, description, mime_type, settle_at,
  created_at`;

export interface PaywallRef {
  merchantId: string;
  id: string;
}

export async function insertPaywall(tx: Queryable, paywall: Paywall): Promise<void> {
  await tx.query(
    `insert into paywalls (merchant_id, id, project_id, price_id, token, resource_url, description, mime_type, settle_at,
                           created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      paywall.merchantId,
      paywall.id,
      paywall.projectId,
      paywall.priceId,
      paywall.token,
      paywall.resourceUrl,
      paywall.description,
      paywall.mimeType,
      paywall.settleAt,
      paywall.createdAt,
    ],
  );
}

export async function findPaywall(
  db: Queryable,
  { merchantId, id }: PaywallRef,
): Promise<Paywall | undefined> {
  const [row] = await db.query<Paywall>(
    `select ${COLUMNS} from paywalls where merchant_id = $1 and id = $2 and deleted_at is null`,
    [merchantId, id],
  );
  return row;
}

const TOKEN = /^pw_[0-9A-Za-z]{1,100}$/;

/** Finds a paywall by its public token, for programs, which have no key. */
export async function findPaywallByToken(
  db: Queryable,
  token: string,
  { isDeletedFound = false } = {},
): Promise<Paywall | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [row] = await db.query<Paywall>(
    `select ${COLUMNS} from paywalls where token = $1 and (deleted_at is null or $2)`,
    [token, isDeletedFound],
  );
  return row;
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
    `select ${COLUMNS} from paywalls where deleted_at is null and ${conditions.where}
      order by id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

/** False where there is none. */
export async function updatePaywallDeleted(
  tx: Queryable,
  { merchantId, id }: PaywallRef,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update paywalls set deleted_at = $3 where merchant_id = $1 and id = $2 and deleted_at is null returning id`,
    [merchantId, id, now],
  );
  return rows.length > 0;
}
