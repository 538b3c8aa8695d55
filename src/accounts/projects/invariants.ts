import type { Invariant } from '../../platform/db/invariant.ts';

export const projectInvariants: Invariant[] = [
  {
    name: 'volume-counted',
    says: 'The volume counted for a project with a limit is the sum of its sessions.',
    violations: `
      with counted as (
        select merchant_id, project_id, volume_month as month, sum(coalesce(volume_cents, amount_cents)) as cents
          from checkout_sessions where volume_month is not null group by 1, 2, 3
      )
      select p.id from projects p
        cross join lateral (
          select month from project_months m where m.merchant_id = p.merchant_id and m.project_id = p.id
          union
          select month from counted c where c.merchant_id = p.merchant_id and c.project_id = p.id) as months
        left join project_months m on m.merchant_id = p.merchant_id and m.project_id = p.id and m.month = months.month
        left join counted c on c.merchant_id = p.merchant_id and c.project_id = p.id and c.month = months.month
       where p.monthly_volume_limit_cents is not null
         and months.month >= date_trunc('month', p.updated_at at time zone 'UTC')
         and coalesce(m.volume_cents, 0) <> coalesce(c.cents, 0)`,
  },
  {
    name: 'invoice-numbers-gapless',
    says: 'The invoices of a project are numbered 1, 2, 3, … without a gap, up to the last number it assigned.',
    violations: `
      select p.id from projects p
        left join invoices i on i.merchant_id = p.merchant_id and i.project_id = p.id
       group by p.merchant_id, p.id
      having count(i.number) <> p.last_invoice_number or coalesce(max(i.number), 0) <> p.last_invoice_number`,
  },
];
