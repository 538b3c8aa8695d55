import type { Invariant } from '../../platform/db/invariant.ts';
import { IS_UNALLOCATED } from './exception.ts';

export const settlementInvariants: Invariant[] = [
  {
    name: 'allocations-within-transfers',
    says: 'No incoming transfer has payment allocations of more than it brought.',
    violations: `
      select c.signature from payment_allocations c join incoming_transfers a using (signature, destination)
       group by c.signature, c.destination, a.received_base_units
      having sum(c.base_units) > a.received_base_units`,
  },
  {
    name: 'received-is-sum-of-allocations',
    says: 'What an intent has received is the sum of its final payment allocations.',
    violations: `
      select i.id from payment_intents i
        left join payment_allocations c on c.merchant_id = i.merchant_id and c.intent_id = i.id and c.is_final
       where i.received_base_units > 0 or c.signature is not null
       group by i.merchant_id, i.id
      having coalesce(sum(c.base_units), 0) <> i.received_base_units`,
  },
  {
    name: 'every-dollar-explained',
    says: 'Everything that finally arrived is allocated to an intent or listed as an exception.',
    violations: `
      select a.signature from incoming_transfers a
       where a.is_final and a.received_base_units > 0
         and a.received_base_units <> coalesce((select sum(c.base_units) from payment_allocations c
              where c.signature = a.signature and c.destination = a.destination), 0)
           + coalesce((select sum(e.base_units) from payment_exceptions e
              where e.signature = a.signature and e.destination = a.destination and e.status <> 'linked'
                and ${IS_UNALLOCATED('e')}), 0)`,
  },
  {
    name: 'surplus-is-listed',
    says: 'What an intent received beyond what it expected, without what was waived, is listed once, to the last unit; money that bought nothing is no surplus, and what paid an order a second time is listed whole.',
    violations: `
      select i.id from payment_intents i
        left join payment_exceptions e on e.merchant_id = i.merchant_id and e.intent_id = i.id
         and e.kind = 'surplus' and not e.is_after_payment
        left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       where i.status = 'succeeded'
       group by i.merchant_id, i.id, s.status
      having coalesce(sum(e.base_units), 0) <> case when s.status = 'canceled' or exists (
                 select from payment_exceptions d
                  where d.merchant_id = i.merchant_id and d.intent_id = i.id and d.kind = 'duplicate_order') then 0
               else i.received_base_units + i.waived_base_units - i.expected_amount_cents::numeric * 10000 end`,
  },
  {
    name: 'unapplied-is-listed',
    says: 'A partial payment that can no longer be completed is listed as unapplied, to the last unit.',
    violations: `
      select s.id from checkout_sessions s
        join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
        left join payment_exceptions e on e.merchant_id = i.merchant_id and e.intent_id = i.id and e.kind = 'stray'
       where s.unapplied_at is not null
       group by s.merchant_id, s.id, i.received_base_units
      having coalesce(sum(e.base_units), 0) <> i.received_base_units`,
  },
  {
    name: 'invoice-paid-is-what-was-received',
    says: 'The amount paid of an invoice is what its intent received, rounded down once, minus what was listed as unapplied.',
    violations: `
      select v.id from invoices v
        join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
        join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
       where (s.unapplied_at is not null or v.amount_paid_cents <> div(i.received_base_units, 10000))
         and v.amount_paid_cents <> div(i.received_base_units, 10000)
           - div(coalesce((select sum(e.base_units) from payment_exceptions e
                            where e.merchant_id = i.merchant_id and e.intent_id = i.id and e.kind = 'stray'), 0), 10000)`,
  },
  {
    name: 'unapplied-credit-follows-exception',
    says: 'Money is account credit exactly as long as its exception is open or ended that way, and no refund sends it back.',
    violations: `
      select p.id from postings p
       where p.counter_account = 'stray_payment' and p.reverses_id is null
         and not exists (select from postings r where r.merchant_id = p.merchant_id and r.reverses_id = p.id)
         and (select count(*) from payment_exceptions e
               where e.merchant_id = p.merchant_id and e.posting_id = p.id) <> 1
      union all
      select e.id from payment_exceptions e
        left join postings r on r.merchant_id = e.merchant_id and r.reverses_id = e.posting_id
       where e.posting_id is not null and (e.status in ('open', 'credited') and e.refund_id is null) <> (r.id is null)`,
  },
];
