import type { Invariant } from '../../platform/db/invariant.ts';

export const refundInvariants: Invariant[] = [
  {
    name: 'refunds-within-received',
    says: 'No more is promised back for a payment than it received.',
    violations: `
      select r.payment_intent_id from refunds r
        join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.payment_intent_id
       where r.status not in ('canceled', 'expired')
       group by r.merchant_id, r.payment_intent_id, i.received_base_units
      having sum(r.amount_cents) > div(i.received_base_units, 10000)`,
  },
  {
    name: 'refunded-or-credit',
    says: 'No part payment is promised back and the customer’s account credit besides.',
    violations: `
      select r.payment_intent_id from refunds r
        join payment_exceptions e on e.merchant_id = r.merchant_id and e.intent_id = r.payment_intent_id
         and e.kind = 'stray' and e.status = 'open' and e.refund_id is null and e.posting_id is not null
       where r.status not in ('canceled', 'expired') and r.exception_id is null`,
  },
  {
    name: 'refunds-within-exception',
    says: 'No more is promised back for an exception than arrived.',
    violations: `
      select r.exception_id from refunds r
        join payment_exceptions e on e.merchant_id = r.merchant_id and e.id = r.exception_id
       where r.status not in ('canceled', 'expired')
       group by r.merchant_id, r.exception_id, e.base_units
      having sum(r.amount_cents) > div(e.base_units, 10000)`,
  },
  {
    name: 'refund-sent-is-sum-of-transfers',
    says: 'What a refund has sent is the sum of its final transfers.',
    violations: `
      select r.id from refunds r
        left join refund_transfers t on t.merchant_id = r.merchant_id and t.refund_id = r.id and t.is_final
       group by r.merchant_id, r.id
      having coalesce(sum(t.base_units), 0) <> r.sent_base_units`,
  },
  {
    name: 'credit-note-of-every-refund',
    says: 'Every refund that succeeded has its credit note over the same amount, and nothing else has one.',
    violations: `
      select coalesce(r.id, n.refund_id) from (select * from refunds where status = 'succeeded') r
        full join credit_notes n on n.merchant_id = r.merchant_id and n.refund_id = r.id
       where r.id is null or n.id is null or n.amount_cents <> r.amount_cents`,
  },
  {
    name: 'credit-note-tax-adds-up',
    says: 'The shares of a credit note add up to its tax and to no more than its amount, and those of an invoice, with what was waived of it, to no more than the invoice.',
    violations: `
      with parts as (
        select n.merchant_id, n.id, n.invoice_id, n.amount_cents, n.tax_cents,
               coalesce(sum((s ->> 'taxCents')::numeric), 0) as tax,
               coalesce(sum((s ->> 'netCents')::numeric + (s ->> 'taxCents')::numeric), 0) as gross
          from credit_notes n left join jsonb_array_elements(n.shares) as s on true
         where n.tax is not null
         group by n.merchant_id, n.id
      )
      select id from parts where tax <> tax_cents or gross > amount_cents
      union all
      select v.id from parts p join invoices v on v.merchant_id = p.merchant_id and v.id = p.invoice_id
       group by v.merchant_id, v.id
      having sum(p.gross) > v.total_cents - v.waived_cents + v.credit_applied_cents::numeric
          or (sum(p.gross) = v.total_cents - v.waived_cents + v.credit_applied_cents::numeric
              and sum(p.tax) <> v.tax_cents - (select coalesce(sum((s ->> 'taxCents')::numeric), 0)
                                                 from jsonb_array_elements(v.waived_shares) as s))`,
  },
  {
    name: 'credit-notes-without-gaps',
    says: 'Credit notes and refunds are numbered without gaps.',
    violations: `
      select c.merchant_id from refund_counters c
       where c.last_credit_note_number <> (select count(*) from credit_notes n where n.merchant_id = c.merchant_id)
          or c.last_refund_number <> (select count(*) from refunds r where r.merchant_id = c.merchant_id)`,
  },
  {
    name: 'invoice-refunded-is-sum-of-refunds',
    says: 'What an invoice says was sent back is the sum of its refunds that succeeded.',
    violations: `
      select v.id from invoices v
        left join refunds r on r.merchant_id = v.merchant_id and r.invoice_id = v.id and r.status = 'succeeded'
       where v.refunded_cents > 0 or r.id is not null
       group by v.merchant_id, v.id
      having coalesce(sum(r.amount_cents), 0) <> v.refunded_cents`,
  },
  {
    name: 'excess-of-refunds-is-listed',
    says: 'Whatever was sent beyond what a refund was for is listed as an exception, to the last unit.',
    violations: `
      select r.id from refunds r
        left join payment_exceptions e
          on e.merchant_id = r.merchant_id and e.refund_id = r.id and e.kind = 'over_refunded'
       where r.status in ('succeeded', 'canceled', 'expired') and r.sent_base_units > 0
       group by r.merchant_id, r.id
      having coalesce(sum(e.base_units), 0)
          <> r.sent_base_units - case when r.status = 'succeeded' then r.amount_cents::numeric * 10000 else 0 end`,
  },
];
