import type { Invariant } from '../db/invariant.ts';
import { CONTENT } from './content.ts';

const NEWEST = 100;
const CONTENT_OF_E = CONTENT.replaceAll(
  /\b(merchant_id|id|actor|action|target_id|detail|created_at)\b/g,
  'e.$1',
);

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
        select 'row ' || e.id || ' does not follow from the row before it' from audit_entries e
          left join audit_entries p
            on p.merchant_id = e.merchant_id and p.sequence = e.sequence - 1 and p.sequence > 0
         where e.merchant_id = h.merchant_id and e.sequence > 0 and e.sequence > h.sequence - ${NEWEST}
           and (e.sequence > 1 and p.hash is null
                or e.hash is distinct from sha256(coalesce(p.hash, '') || convert_to(${CONTENT_OF_E}, 'UTF8')))
      ) as broken`,
  },
];
