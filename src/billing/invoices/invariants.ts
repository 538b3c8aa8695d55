import { holderOf } from '../../accounts/customers/person.ts';
import type { Invariant } from '../../platform/db/invariant.ts';
import { TRANSITIONS } from './invoice.ts';

const legalMoves = Object.entries(TRANSITIONS)
  .flatMap(([from, targets]) => [from, ...targets].map((to) => `('${from}', '${to}')`))
  .join(', ');

export const invoiceInvariants: Invariant[] = [
  {
    name: 'invoice-lines-add-up',
    says: 'The lines of an invoice add up to its subtotal, their discounts to its discount, and their tax to its tax.',
    violations: `
      select v.id from invoices v
       where v.subtotal_cents <> (select coalesce(sum((l ->> 'amountCents')::numeric), 0)
                                    from jsonb_array_elements(v.lines) as l)
          or v.discount_cents <> (select coalesce(sum((l ->> 'discountCents')::numeric), 0)
                                    from jsonb_array_elements(v.lines) as l)
          or v.tax_cents <> (select coalesce(sum((l ->> 'taxCents')::numeric), 0) from jsonb_array_elements(v.lines) as l)
          or v.tax_added_cents <> (select coalesce(sum((l ->> 'taxCents')::numeric), 0) from jsonb_array_elements(v.lines) as l
                                    where l #>> '{tax,behavior}' = 'exclusive')
          or (v.discount_cents > 0 and v.discount is null)`,
  },
  {
    name: 'invoice-credit-is-posted',
    says: 'Account credit applied to an invoice was deducted from the customer, returned if the invoice was not paid, and deducted again if it was paid late.',
    violations: `
      select v.id from invoices v
        left join postings p on p.merchant_id = v.merchant_id and p.invoice_id = v.id and p.counter_account = 'invoice'
       group by v.merchant_id, v.id
      having coalesce(sum(-p.delta_cents), 0)
             <> case when v.status in ('open', 'paid') then v.credit_applied_cents else 0 end
          or bool_or(p.customer_id is distinct from v.customer_id and p.id is not null
                     and ${holderOf('p.merchant_id', 'p.customer_id')} is distinct from ${holderOf('v.merchant_id', 'v.customer_id')})`,
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
  {
    name: 'invoice-is-numbered',
    says: 'Only a draft and an unpaid invoice of an anonymous checkout have no number, and they have no events.',
    violations: `
      select v.id from invoices v
        left join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
        left join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
       where v.number is null and v.status <> 'draft'
         and (s.origin is distinct from 'link' or i.received_base_units >= 10000 or v.sequence > 0
              or v.customer_id is not null or v.subscription_id is not null)`,
  },
  {
    name: 'invoice-draft-is-not-owed',
    says: 'A draft has no number, no checkout, no events and no e-mails.',
    violations: `
      select v.id from invoices v
       where v.status = 'draft'
         and (v.number is not null or v.checkout_session_id is not null or v.draft is null or v.sequence <> 0
              or exists (select from events e where e.merchant_id = v.merchant_id and e.object_id = v.id)
              or exists (select from emails m where m.merchant_id = v.merchant_id and m.invoice_id = v.id))`,
  },
  {
    name: 'invoice-legal-moves',
    says: 'Every invoice’s history makes legal moves only, and ends where the invoice is.',
    violations: `
      with history as (
        select object_id, status, previous_status,
               lag(status, 1) over (partition by merchant_id, object_id order by sequence) as came_from
          from events where object_type = 'invoice'
      )
      select object_id from history
       where previous_status is distinct from came_from
          or (previous_status is not null and (previous_status, status) not in (values ${legalMoves}))
      union all
      select v.id from invoices v
        left join events e on e.merchant_id = v.merchant_id and e.object_id = v.id and e.sequence = v.sequence
       where v.number is not null and v.status is distinct from e.status`,
  },
  {
    name: 'invoice-waived-adds-up',
    says: 'An invoice that was accepted as paid says what was waived: the same as its payment, and by tax rate in full.',
    violations: `
      select v.id from invoices v
        left join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
        left join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
       where v.waived_cents <> ceil(coalesce(i.waived_base_units, 0) / 10000)
          or (v.waived_cents > 0 and v.tax is not null
              and v.waived_cents <> (select sum((w ->> 'netCents')::numeric + (w ->> 'taxCents')::numeric)
                                       from jsonb_array_elements(v.waived_shares) as w))`,
  },
];
