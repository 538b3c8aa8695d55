import type { Invariant } from '../db/invariant.ts';

export const invoiceInvariants: Invariant[] = [
  {
    name: 'invoice-lines-add-up',
    says: 'The lines of an invoice add up to its subtotal.',
    violations: `
      select v.id from invoices v
       where v.subtotal_cents <> (select coalesce(sum((l ->> 'amountCents')::numeric), 0)
                                    from jsonb_array_elements(v.lines) as l)`,
  },
  {
    name: 'invoice-events-without-gaps',
    says: 'Every change of an invoice has one event, numbered without a gap.',
    violations: `
      select v.id from invoices v
        left join events e on e.merchant_id = v.merchant_id and e.object_id = v.id
       group by v.merchant_id, v.id, v.sequence
      having count(e.id) <> v.sequence or coalesce(max(e.sequence), 0) <> v.sequence`,
  },
];
