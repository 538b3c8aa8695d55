import type { Invariant } from '../db/invariant.ts';

export const projectInvariants: Invariant[] = [
  {
    name: 'volume-counted',
    says: 'Where a project has a volume limit, its newest month counts exactly the sessions of that month.',
    violations: `
      select p.id from projects p
        join lateral (
          select month, volume_cents from project_months m
           where m.merchant_id = p.merchant_id and m.project_id = p.id order by month desc limit 1
        ) newest on true
       where p.monthly_volume_limit_cents is not null
         and newest.volume_cents <> (
           select coalesce(sum(s.amount_cents), 0) from checkout_sessions s
            where s.merchant_id = p.merchant_id and s.project_id = p.id and s.volume_month = newest.month)`,
  },
  {
    name: 'invoice-numbers-gapless',
    says: 'The invoices of a project are numbered 1, 2, 3, … without a gap, up to the number it gave last.',
    violations: `
      select p.id from projects p
        left join invoices i on i.merchant_id = p.merchant_id and i.project_id = p.id
       group by p.merchant_id, p.id
      having count(i.id) <> p.last_invoice_number or coalesce(max(i.number), 0) <> p.last_invoice_number`,
  },
];
