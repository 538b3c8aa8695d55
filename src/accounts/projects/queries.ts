import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { Brand } from '../merchants/read-brand.ts';
import type { Seller } from '../parties/party.ts';
import { DEFAULT_SETTINGS, type Project, type ProjectRow, projects, toProject, toRow } from './project.ts';

export async function findProject(db: Queryable, { merchantId, id }: Ref): Promise<Project | undefined> {
  const row = await projects.find(db, { merchantId, id });
  return row && toProject(row);
}

/** By its id alone: for pages that anybody may open. None if two merchants had the same, which ids are made to rule out. */
export async function findProjectOfAnyone(db: Queryable, id: string): Promise<Project | undefined> {
  const rows = await projects.list(db, { id }, 'limit 2');
  return rows.length === 1 ? toProject(rows[0]!) : undefined;
}

/** How a project shows itself: whatever it has not set is the merchant's. */
export async function findBrand(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string | null },
): Promise<(Brand & { supportEmail: string | null }) | undefined> {
  const [row] = await db.query<Brand & { supportEmail: string | null }>(
    `select coalesce(p.brand_name, m.name) as name, coalesce(p.brand_color, m.brand_color) as brand_color,
            coalesce(p.logo_file, m.logo_file) as logo_file, p.settings ->> 'supportEmail' as support_email
       from merchants m left join projects p on p.merchant_id = m.id and p.id = $2 where m.id = $1`,
    [merchantId, id],
  );
  return row;
}

/**
 * Reads projects and keeps them unchanged until the transaction ends: changes of their limits and archiving wait,
 * concurrent use does not. It is the same lock that a foreign key takes; in a fixed order, to avoid deadlocks.
 */
export async function lockProjectsForUse(tx: Queryable, refs: readonly Ref[]): Promise<Project[]> {
  const rows = await tx.query<ProjectRow>(
    `select ${projects.columns()} from projects
      where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
      order by merchant_id, id for key share`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
  return rows.map(toProject);
}

/** Waits for every concurrent use of the project, and blocks new ones until the change is done. */
export async function lockProjectForChange(
  tx: Queryable,
  { merchantId, id }: Ref,
): Promise<Project | undefined> {
  const row = await projects.find(tx, { merchantId, id }, 'for update');
  return row && toProject(row);
}

export interface LastNumber {
  merchantId: string;
  projectId: string;
  last: bigint;
  prefix: string | null;
  seller: Seller | null;
}

/**
 * Several numbers of several projects, locked in a fixed order; returns the last number of each. The project's own row is
 * the counter: the second transaction waits for the first, so no number is skipped.
 */
export async function updateLastInvoiceNumbers(
  tx: Queryable,
  wanted: readonly { merchantId: string; projectId: string; count: number }[],
): Promise<LastNumber[]> {
  return tx.query(
    `with wanted as (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[]) as w(merchant_id, project_id, count)
     ), locked as materialized (
       select p.merchant_id, p.id, w.count from wanted w
         join projects p on p.merchant_id = w.merchant_id and p.id = w.project_id
        order by p.merchant_id, p.id for no key update of p
     )
     update projects p set last_invoice_number = p.last_invoice_number + l.count from locked l
      where p.merchant_id = l.merchant_id and p.id = l.id
     returning p.merchant_id, p.id as project_id, p.last_invoice_number as last, p.settings->>'invoicePrefix' as prefix, p.seller`,
    [
      wanted.map(({ merchantId }) => merchantId),
      wanted.map(({ projectId }) => projectId),
      wanted.map(({ count }) => count),
    ],
  );
}

/** Prefixes of one merchant are given out one at a time. */
export async function lockPrefixes(tx: Tx, merchantId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('prefixes ' || $1, 0))`, [merchantId]);
}

/**
 * The names of the country's sellers who put this before the invoice numbers of another project, archived ones included,
 * or once issued an invoice with it.
 */
export async function listSellersOfPrefix(
  tx: Queryable,
  { merchantId, id }: Ref,
  country: string,
  prefix: string,
): Promise<string[]> {
  const rows = await tx.query<{ legalName: string }>(
    `select seller ->> 'legalName' as legal_name from projects
      where merchant_id = $1 and id <> $2 and lower(coalesce(settings ->> 'invoicePrefix', $5)) = lower($4)
        and seller ->> 'country' = $3
      union
     select tax -> 'seller' ->> 'legalName' from invoices
      where merchant_id = $1 and project_id <> $2
        and lower(number_text) collate "C" >= lower($4) || '-' and lower(number_text) collate "C" < lower($4) || '.'
        and lower(regexp_replace(number_text, '-[0-9]+$', '')) = lower($4)
        and tax -> 'seller' ->> 'country' = $3`,
    [merchantId, id, country, prefix, DEFAULT_SETTINGS.invoicePrefix],
  );
  return rows.map(({ legalName }) => legalName);
}

export const insertProject = (tx: Queryable, project: Project) => projects.insert(tx, toRow(project));

/** Stores what may change of a project, other than its image. */
export const updateProject = (tx: Queryable, project: Project) =>
  projects.store(tx, toRow(project), [
    'name',
    'payoutAddress',
    'monthlyVolumeLimitCents',
    'monthlyRequestLimit',
    'settings',
    'updatedAt',
    'archivedAt',
    'brandName',
    'brandColor',
    'seller',
  ]);

/** Returns the projects that had it. */
export async function updateProjectsWithoutAddress(
  tx: Queryable,
  merchantId: string,
  address: string,
  now: Date,
): Promise<{ id: string; name: string }[]> {
  return tx.query(
    `update projects set payout_address = null, updated_at = $3
      where merchant_id = $1 and payout_address = $2 returning id, name`,
    [merchantId, address, now],
  );
}

export async function listProjects(
  db: Queryable,
  merchantId: string,
  isArchived: boolean,
  range: Range,
): Promise<Project[]> {
  const rows = await db.query<ProjectRow>(
    `select ${projects.columns()} from projects
      where merchant_id = $1 and id < $2 and id >= $3 and (archived_at is not null) = $4
      order by id desc limit $5`,
    [merchantId, range.beforeId, range.fromId, isArchived, range.limit],
  );
  return rows.map(toProject);
}

/** One that is live, or whose first payment is still pending. */
export async function hasLiveSubscription(db: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await db.query(
    `select from subscriptions
      where merchant_id = $1 and project_id = $2 and status in ('incomplete', 'trialing', 'active', 'past_due') limit 1`,
    [merchantId, id],
  );
  return rows.length > 0;
}

/** One that somebody owes, or for which money was seen: a stranger's has no number before its money is final. */
export async function hasOpenInvoice(db: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await db.query(
    `select from invoices v left join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
      where v.merchant_id = $1 and v.project_id = $2 and v.status = 'open'
        and (v.number is not null or s.payment_status <> 'unpaid') limit 1`,
    [merchantId, id],
  );
  return rows.length > 0;
}
