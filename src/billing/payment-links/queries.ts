import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import { type LinkRow, type PaymentLink, paymentLinks } from './link.ts';

const COLUMNS = `${paymentLinks.columns('l')}, p.product_id`;
const WITH_PRICE = `
  from payment_links l join prices p on p.merchant_id = l.merchant_id and p.id = l.price_id`;
/** Deleted links are found only for payments that were made before. */
const FROM = `${WITH_PRICE} where l.deleted_at is null`;

type Row = LinkRow & { productId: string };

function toLink({ minCents, maxCents, suggestedCents, ...link }: Row): PaymentLink {
  return { ...link, openAmount: minCents === null ? null : { minCents, maxCents, suggestedCents } };
}

export async function findLink(db: Queryable, { merchantId, id }: Ref): Promise<PaymentLink | undefined> {
  const [row] = await db.query<Row>(`select ${COLUMNS} ${FROM} and l.merchant_id = $1 and l.id = $2`, [
    merchantId,
    id,
  ]);
  return row && toLink(row);
}

/** Locks a link for callers that change or delete it: nobody is selling through it meanwhile. */
export function lockLink(tx: Queryable, ref: Ref): Promise<PaymentLink | undefined> {
  return lockAs(tx, ref, 'update');
}

/**
 * Locks a link for callers that sell through it: nobody changes or deletes it until they are done. Payments are still
 * counted meanwhile, except for a link with a maximum: the number it has sold must not move. Callers that complete
 * the sale immediately also count it: they lock it alone, because two that share a lock cannot both write. A link
 * that was paid while it was offered sells even after it was deleted.
 */
export async function lockLinkForSale(
  tx: Queryable,
  ref: Ref,
  { isCounted, isDeletedFound = false }: { isCounted: boolean; isDeletedFound?: boolean },
): Promise<PaymentLink | undefined> {
  const link = await lockAs(tx, ref, 'key share', isDeletedFound);
  if (!link || link.maxPayments === null) return link;
  return lockAs(tx, ref, isCounted ? 'no key update' : 'share', isDeletedFound);
}

async function lockAs(
  tx: Queryable,
  { merchantId, id }: Ref,
  lock: 'key share' | 'share' | 'no key update' | 'update',
  isDeletedFound = false,
): Promise<PaymentLink | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${WITH_PRICE}
      where (l.deleted_at is null or $3) and l.merchant_id = $1 and l.id = $2 for ${lock} of l`,
    [merchantId, id, isDeletedFound],
  );
  return row && toLink(row);
}

/** Keeps everybody else from counting them in order to add one, until the transaction ends. */
export async function lockCount(tx: Queryable, { id }: Ref): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('checkouts of ' || $1, 0))`, [id]);
}

/** True if the link has a payment limit, deleted or not. */
export async function hasLimit(db: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await db.query(
    'select from payment_links where merchant_id = $1 and id = $2 and max_payments is not null',
    [merchantId, id],
  );
  return rows.length > 0;
}

export interface LinkFilter {
  projectId?: string | undefined;
  priceId?: string | undefined;
  status?: string[] | undefined;
  metadata?: string[] | undefined;
}

export async function listLinks(
  db: Queryable,
  merchantId: string,
  filter: LinkFilter,
  range: Range,
): Promise<PaymentLink[]> {
  const conditions = new Conditions()
    .add('l.merchant_id = ?', merchantId)
    .within('l.id', range)
    .add('l.project_id = ?', filter.projectId)
    .add('l.price_id = ?', filter.priceId)
    .add('l.status = any(?)', filter.status);
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('payment_links', 'l', { merchantId, ...range, metadata: filter.metadata }, limit);
  const rows = await db.query<Row>(
    `select ${COLUMNS} ${FROM} and ${conditions.where} order by l.id desc limit ${limit.place}`,
    conditions.values,
  );
  return rows.map(toLink);
}

/** One more paid; at the last one it may sell the link ends. */
export async function updatePaymentsCount(tx: Queryable, { merchantId, id }: Ref, now: Date): Promise<void> {
  await tx.query(
    `update payment_links
        set payments_count = payments_count + 1,
            status = case when payments_count + 1 >= max_payments then 'inactive' else status end,
            ended_at = case when payments_count + 1 >= max_payments then coalesce(ended_at, $3) else ended_at end
      where merchant_id = $1 and id = $2`,
    [merchantId, id, now],
  );
}

/** Ends links that have expired. */
export async function updateExpired(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `update payment_links set status = 'inactive', ended_at = $1
      where status = 'active' and expires_at <= $1 and ${isOpenMerchant()}`,
    [now],
  );
}

export const LINKS_TO_CLOSE = 'close payment links';

/** Open sessions of links that ended, toward which nothing was seen. */
export async function listUnseenOfEnded(
  db: Queryable,
  { endedSince, now }: { endedSince: Date; now: Date },
  limit: number,
): Promise<Ref[]> {
  return db.query(
    `select s.merchant_id, s.id from payment_links l
       join checkout_sessions s on s.merchant_id = l.merchant_id and s.payment_link_id = l.id and s.status = 'open'
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
      where l.ended_at >= $1 and i.status in ('pending', 'failed') and ${isOpenMerchant('l.merchant_id')}
        and ${notSetAside(LINKS_TO_CLOSE, '$3', { merchantId: 's.merchant_id', id: 's.id' })} limit $2`,
    [endedSince, limit, now],
  );
}

/** Finds what a payment needs to know about its link, deleted or not. */
export async function findLinkSold(db: Queryable, publicToken: string): Promise<LinkRow | undefined> {
  return TOKEN.test(publicToken) ? paymentLinks.find(db, { publicToken }) : undefined;
}

/** All that the public page shows of a link. */
export interface LinkDisplay {
  link: PaymentLink;
  /** Its price starts with a trial, which is one of the terms that never change. */
  hasTrial: boolean;
  isArchived: boolean;
  merchantName: string | null;
  brandColor: string | null;
  logoFile: string | null;
  verificationStatus: number;
}

/** URLs are typed by anyone: a text that the database cannot even store is not a token. */
const TOKEN = /^plink_[0-9A-Za-z]{1,100}$/;

/** Finds a link by its public token, for buyers, who have no key. */
export async function findByToken(db: Queryable, publicToken: string): Promise<LinkDisplay | undefined> {
  if (!TOKEN.test(publicToken)) return undefined;
  const [row] = await db.query<Row & Omit<LinkDisplay, 'link'>>(
    `select ${COLUMNS}, p.trial_days is not null as has_trial, j.archived_at is not null as is_archived, coalesce(j.brand_name, m.name) as merchant_name,
            coalesce(j.brand_color, m.brand_color) as brand_color, coalesce(j.logo_file, m.logo_file) as logo_file,
            m.verification_status
       from payment_links l
       join prices p on p.merchant_id = l.merchant_id and p.id = l.price_id
       join projects j on j.merchant_id = l.merchant_id and j.id = l.project_id
       join merchants m on m.id = l.merchant_id
      where l.deleted_at is null and l.public_token = $1`,
    [publicToken],
  );
  if (!row) return undefined;
  const { hasTrial, isArchived, merchantName, brandColor, logoFile, verificationStatus, ...link } = row;
  return { link: toLink(link), hasTrial, isArchived, merchantName, brandColor, logoFile, verificationStatus };
}
