import type { Invariant } from '../platform/db/invariant.ts';
import { MAY_BE_PRUNED } from '../platform/events/pruned.ts';
import { TRANSITIONS } from './intent.ts';

const legalMoves = Object.entries(TRANSITIONS)
  .flatMap(([from, targets]) => targets.map((to) => `('${from}', '${to}')`))
  .join(', ');

export const intentInvariants: Invariant[] = [
  {
    name: 'acknowledged-intents-exist',
    says: 'Every intent that was returned for an idempotency key exists.',
    violations: `
      select k.resource_id from idempotency_keys k
       where k.operation = 'createIntent' and k.resource_id is not null
         and not exists (select from payment_intents i where i.merchant_id = k.merchant_id and i.id = k.resource_id)`,
  },
  {
    name: 'legal-moves',
    says: 'Every intent’s history starts at pending, makes legal moves only, and ends where the intent is.',
    violations: `
      with history as (
        select object_id, sequence, event, status, previous_status,
               lag(status, 1, 'pending') over changes as came_from, lag(sequence, 1, 0) over changes as came_after
          from events where object_type = 'payment_intent'
        window changes as (partition by merchant_id, object_id order by sequence)
      )
      select object_id from history
       where event <> 'payment_intent.created'
         and ((sequence = came_after + 1 and previous_status is distinct from came_from)
              or (previous_status, status) not in (values ${legalMoves}))
      union all
      select i.id from payment_intents i
        left join events e on e.merchant_id = i.merchant_id and e.object_id = i.id and e.sequence = i.sequence
       where i.status <> coalesce(e.status, 'pending')`,
  },
  {
    name: 'one-event-per-change',
    says: 'Every change of an intent has exactly one event, numbered without a gap.',
    violations: `
      select i.id from payment_intents i
        left join events e on e.merchant_id = i.merchant_id and e.object_id = i.id
       where i.sequence > 0 or e.id is not null
       group by i.merchant_id, i.id
      having (count(e.id) <> i.sequence and not ${MAY_BE_PRUNED('i.merchant_id')})
          or coalesce(max(e.sequence), 0) <> i.sequence`,
  },
  {
    name: 'success-is-paid',
    says: 'A succeeded intent has received at least what it expected, without what was waived; an underpaid one less.',
    violations: `
      select id from payment_intents
       where (status = 'succeeded' and received_base_units + waived_base_units < expected_amount_cents::numeric * 10000)
          or (status = 'underpaid' and received_base_units >= expected_amount_cents::numeric * 10000)`,
  },
];
