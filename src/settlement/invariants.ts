import type { Invariant } from '../db/invariant.ts';

export const settlementInvariants: Invariant[] = [
  {
    name: 'credits-within-arrivals',
    says: 'No transaction is credited with more than it brought.',
    violations: `
      select c.signature from credits c join arrivals a using (signature, destination)
       group by c.signature, c.destination, a.received_base_units
      having sum(c.base_units) > a.received_base_units`,
  },
  {
    name: 'received-is-sum-of-credits',
    says: 'What an intent has received is the sum of its final credits.',
    violations: `
      select i.id from payment_intents i
        left join credits c on c.merchant_id = i.merchant_id and c.intent_id = i.id and c.is_final
       where i.received_base_units > 0 or c.signature is not null
       group by i.merchant_id, i.id
      having coalesce(sum(c.base_units), 0) <> i.received_base_units`,
  },
  {
    name: 'every-dollar-explained',
    says: 'All that finally arrived is credited or listed as an exception.',
    violations: `
      select a.signature from arrivals a
       where a.is_final and a.received_base_units > 0
         and a.received_base_units <> coalesce((select sum(c.base_units) from credits c
              where c.signature = a.signature and c.destination = a.destination), 0)
           + coalesce((select sum(e.base_units) from payment_exceptions e
              where e.signature = a.signature and e.destination = a.destination and e.status <> 'linked'
                and e.kind in ('unmatched', 'ambiguous', 'canceled', 'late')), 0)`,
  },
];
