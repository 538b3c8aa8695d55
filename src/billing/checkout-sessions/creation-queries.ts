import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { Session } from './session.ts';

/** Lists the payout addresses for new sessions of these projects. */
export async function listDestinations(
  db: Queryable,
  projects: readonly Ref[],
): Promise<{ merchantId: string; projectId: string; destination: string | null }[]> {
  return db.query(
    `select p.merchant_id, p.id as project_id,
            coalesce(p.payout_address, m.payout_address) as destination
       from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join projects p on p.merchant_id = w.merchant_id and p.id = w.id
       join merchants m on m.id = p.merchant_id`,
    [projects.map((project) => project.merchantId), projects.map((project) => project.id)],
  );
}

/** Counts the trials that strangers have requested for an address since then. */
export async function countTrialsAskedFor(
  db: Queryable,
  { merchantId, customerEmail }: Pick<Session, 'merchantId' | 'customerEmail'>,
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from checkout_sessions
      where merchant_id = $1 and customer_email is not null and ${folded('customer_email')} = ${folded('$2')}
        and origin = 'link' and trial_days is not null and created_at > $3`,
    [merchantId, customerEmail, since],
  );
  return row!.count;
}
