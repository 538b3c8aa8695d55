import type { Invariant } from '../../platform/db/invariant.ts';
import { MAY_BE_PRUNED } from '../../platform/events/pruned.ts';
import { TRANSITIONS } from './session.ts';

const legalMoves = Object.entries(TRANSITIONS)
  .flatMap(([from, targets]) => [from, ...targets].map((to) => `('${from}', '${to}')`))
  .join(', ');

export const sessionInvariants: Invariant[] = [
  {
    name: 'session-has-its-invoice',
    says: 'Every session has one invoice for the same amount, and all three end together.',
    violations: `
      select s.id from checkout_sessions s
        join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
        left join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
       where v.id is null or v.total_cents <> s.amount_cents or i.expected_amount_cents <> s.amount_cents
          or i.session_ordering_key is null or i.expires_at <> s.expires_at
          or (s.status, v.status) not in (values ('open', 'open'), ('complete', 'paid'), ('expired', 'uncollectible'),
                                                 ('canceled', 'void'))
          or (s.status = 'complete' and i.status <> 'succeeded')
          or (i.status = 'succeeded' and s.status not in ('complete', 'canceled'))
          or (i.status = 'canceled' and s.status <> 'canceled')
          or (i.is_withdrawn and s.status <> 'canceled')
          or (s.status = 'canceled' and i.status not in ('canceled', 'succeeded') and not i.is_withdrawn)
          or (s.status = 'canceled' and i.status <> 'canceled' and s.subscription_id is null and v.discount is null
              and s.payment_link_id is null and not (v.billing_reason = 'manual' and i.received_base_units > 0)
              and not exists (select from projects p where p.merchant_id = s.merchant_id and p.id = s.project_id
                                 and p.archived_at is not null))`,
  },
  {
    name: 'session-legal-moves',
    says: 'Every session’s history starts open, makes legal moves only, has one event per change and ends where it is.',
    violations: `
      with history as (
        select object_id, sequence, status, previous_status,
               lag(status, 1) over changes as came_from, lag(sequence, 1, 0) over changes as came_after
          from events where object_type = 'checkout_session'
        window changes as (partition by merchant_id, object_id order by sequence)
      )
      select object_id from history
       where (sequence = came_after + 1 and previous_status is distinct from came_from)
          or (previous_status is not null and (previous_status, status) not in (values ${legalMoves}))
      union all
      select s.id from checkout_sessions s
        left join events e on e.merchant_id = s.merchant_id and e.object_id = s.id
       group by s.merchant_id, s.id
      having (count(e.id) <> s.sequence and not ${MAY_BE_PRUNED('s.merchant_id')}) or max(e.sequence) <> s.sequence
          or max(e.status) filter (where e.sequence = s.sequence) is distinct from s.status`,
  },
  {
    name: 'top-up-credited-once',
    says: 'A paid top-up has added its credits exactly once; an unpaid one has added none.',
    violations: `
      select s.id from checkout_sessions s
        join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
        left join postings p on p.merchant_id = v.merchant_id and p.invoice_id = v.id and p.counter_account = 'top_up'
       where s.mode = 'balance_top_up'
       group by s.merchant_id, s.id, s.status, s.credit_amount
      having coalesce(sum(p.delta_credits), 0) <> case when s.status = 'complete' then s.credit_amount else 0 end`,
  },
  {
    name: 'ordering-key-matches-session',
    says: 'An intent’s ordering key is its session, or the session’s subscription.',
    violations: `
      select i.id from payment_intents i
        left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       where i.session_ordering_key is distinct from coalesce(s.subscription_id, case when s.mode = 'subscription' then i.session_ordering_key else s.id end)`,
  },
];
