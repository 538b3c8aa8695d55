import { Conditions } from '../platform/db/conditions.ts';
import type { Queryable } from '../platform/db/database.ts';
import { folded } from '../platform/db/folded.ts';
import type { Range } from '../platform/http/list.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';
import { firstIdAt } from '../platform/lib/ids.ts';
import type { Intent, IntentStatus, PaidVia } from './intent.ts';
import { COLUMNS } from './queries.ts';

export interface IntentFilter {
  status?: IntentStatus[] | undefined;
  orderId?: string | undefined;
  terminalId?: string | undefined;
  amountCents?: bigint | undefined;
  referenceAddress?: string | undefined;
  txSignature?: string | undefined;
  paidVia?: PaidVia | undefined;
  customerEmail?: string | undefined;
  projectId?: string | undefined;
  succeededFrom?: Date | undefined;
  succeededTo?: Date | undefined;
  metadata?: string[] | undefined;
}

/** Matches what the checkout was given, and the customer's current name. */
const ASKED_OF = `
  with address as (select ${folded('?')} as lowered)
  select payment_intent_id from checkout_sessions, address
   where merchant_id = $1 and ${folded('customer_email')} = lowered
  union
  select s.payment_intent_id from address
    join customers c on c.merchant_id = $1 and ${folded('c.email')} = lowered and c.email is not null
    join checkout_sessions s on s.merchant_id = $1 and s.customer_id = c.id`;

const OF_PROJECT = `
  exists (select from checkout_sessions s
           where s.merchant_id = i.merchant_id and s.payment_intent_id = i.id and s.project_id = ?)`;

/** Nothing succeeds before it is created, but the clocks of two machines may differ. It spares reading all that is newer. */
function lastIdBefore(succeededTo: Date): string {
  return firstIdAt(new Date(succeededTo.getTime() + HOUR_MS));
}

export async function listIntents(
  db: Queryable,
  merchantId: string,
  filter: IntentFilter,
  range: Range,
): Promise<Intent[]> {
  const conditions = new Conditions()
    .add('i.merchant_id = ?', merchantId)
    .within('i.id', range)
    .add('i.order_id = ?', filter.orderId)
    .add('i.terminal_id = ?', filter.terminalId)
    .add('i.expected_amount_cents = ?', filter.amountCents)
    .add('i.reference_address = ?', filter.referenceAddress)
    .add('i.paid_via = ?', filter.paidVia)
    .add(
      'i.id = any(array(select intent_id from payment_allocations where merchant_id = $1 and signature = ?))',
      filter.txSignature,
    )
    .add(`i.id = any(array(${ASKED_OF}))`, filter.customerEmail)
    .add(OF_PROJECT, filter.projectId)
    .add(`i.status = 'succeeded' and i.succeeded_at >= ?`, filter.succeededFrom)
    .add(`i.status = 'succeeded' and i.succeeded_at < ?`, filter.succeededTo)
    .add('i.id < ?', filter.succeededTo && lastIdBefore(filter.succeededTo));
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('payment_intents', 'i', { merchantId, ...range, metadata: filter.metadata }, limit);
  conditions.addNewestOf('payment_intents', 'i', 'status', filter.status, limit);
  return db.query<Intent>(
    `select ${COLUMNS} from ${conditions.newest('payment_intents', 'i', limit)} order by i.id desc`,
    conditions.values,
  );
}
