import type { Invariant } from '../db/invariant.ts';
import { CONTENT } from './content.ts';

const NEWEST = 100;

export const auditInvariants: Invariant[] = [
  {
    name: 'audit-chain',
    says: `Each merchant’s newest ${NEWEST} audit rows follow from one another up to the head; all of them: npx florin audit verify.`,
    violations: `
      select 'merchant ' || h.merchant_id || ': ' || broken.text from audit_heads h, lateral (
        select 'the last row is not the head' as text
         where (h.sequence, h.hash) is distinct from (
           coalesce((select sequence from audit_entries e where e.merchant_id = h.merchant_id and sequence > 0
                      order by sequence desc limit 1), 0),
           coalesce((select hash from audit_entries e where e.merchant_id = h.merchant_id and sequence > 0
                      order by sequence desc limit 1), ''))
        union all
        select 'row ' || id || ' does not follow from the row before it' from (
          select id, sequence, hash, ${CONTENT} as content,
                 lag(sequence, 1, 0::bigint) over (order by sequence) as sequence_before,
                 lag(hash, 1, ''::bytea) over (order by sequence) as hash_before,
                 row_number() over (order by sequence) as place
            from (select * from audit_entries e where e.merchant_id = h.merchant_id and sequence > 0
                   order by sequence desc limit ${NEWEST + 1}) as newest
        ) as linked
         where (place > 1 or sequence <= ${NEWEST})
           and (sequence <> sequence_before + 1
                or hash is distinct from sha256(hash_before || convert_to(content, 'UTF8')))
      ) as broken`,
  },
];
