import type { Invariant } from '../platform/db/invariant.ts';
import { LEASE_MS } from './delivery.ts';

const LEASE = `interval '${LEASE_MS} milliseconds'`;

export const webhookInvariants: Invariant[] = [
  {
    name: 'events-delivered',
    says: 'Every event that a webhook endpoint wants is delivered, scheduled, or dead with a reason.',
    violations: `
      select e.id from events e
        join merchants m on m.id = e.merchant_id
        left join webhook_endpoints w on w.merchant_id = e.merchant_id
       where coalesce(w.url, m.webhook_url) is not null and coalesce(w.is_active, true)
         and e.ordinal > coalesce(w.settled_through, 0)
         and not exists (select from undispatched_events u where u.ordinal = e.ordinal)
         and not exists (select from webhook_deliveries d
                          where d.merchant_id = e.merchant_id and d.event_id = e.id
                            and coalesce(d.endpoint_id, d.merchant_id) = coalesce(w.id, m.id) and d.resend_of is null)
      union all
      select id from webhook_deliveries where status = 'failed' and error is null`,
  },
  {
    name: 'deliveries-scheduled',
    says: 'Every unfinished delivery is due at a known time or held by a lease.',
    violations: `
      select d.id from webhook_deliveries d
        left join webhook_endpoints w on w.id = d.endpoint_id
       where d.next_attempt_at is not null
         and coalesce(w.claim_at, 'infinity') > greatest(d.next_attempt_at, d.lease_until)`,
  },
  {
    name: 'leases-end',
    says: 'No worker holds a delivery for longer than twice the lease.',
    violations: `select id from webhook_deliveries where lease_until < now() - ${LEASE}`,
  },
];
