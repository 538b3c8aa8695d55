import type { Queryable } from '../../platform/db/database.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import type { PaymentException } from './exception.ts';

export interface Candidate {
  paymentIntentId: string;
  orderId: string | null;
  status: string;
  amountCents: bigint;
  missingCents: bigint;
  /** How much of it is a tip. */
  tipCents: bigint;
  customerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  createdAt: Date;
  payerAddress: string | null;
  isClaimed: boolean;
}

/** Open orders whose amount fits are looked for among this many; older ones are found by searching. */
const MAX_LOOKED_AT = 200;

const MISSING = 'ceil((i.expected_amount_cents * 10000 - i.received_base_units) / 10000)';
/** Tips are voluntary: an order is paid once its goods are. */
const FITS = `${MISSING} in ($5, $5 + coalesce(s.tip_cents, 0))`;

/**
 * Intents at the same address that can still get the money: named by the payment, missing exactly this amount, with or
 * without the tip, or claimed by a payer. The nearest in time come first.
 */
export async function listCandidates(
  db: Queryable,
  { merchantId, destination, signature, intentId, baseUnits, createdAt }: PaymentException,
  limit: number,
): Promise<Candidate[]> {
  return db.query<Candidate>(
    `with found as (
       select intent_id as id, true as claimed from payment_claims where merchant_id = $1 and signature = $3
       union all select $4::uuid, false where $4::uuid is not null
       union all
       (select id, false from payment_intents
         where merchant_id = $1 and expected_amount_cents = $5 order by id desc limit ${MAX_LOOKED_AT})
       union all
       (select payment_intent_id, false from checkout_sessions
         where merchant_id = $1 and amount_cents - tip_cents = $5 and tip_cents > 0
         order by payment_intent_id desc limit ${MAX_LOOKED_AT})
       union all
       (select id, false from payment_intents
         where merchant_id = $1 and status = 'underpaid' order by id desc limit ${MAX_LOOKED_AT})
     ), one as (select id, bool_or(claimed) as claimed from found group by id)
     select i.id as "paymentIntentId", i.order_id as "orderId", i.status,
            i.expected_amount_cents as "amountCents", ${MISSING}::bigint as "missingCents",
            coalesce(s.tip_cents, 0) as "tipCents",
            s.customer_id as "customerId", coalesce(c.name, s.customer_name) as "customerName",
            coalesce(c.email, s.customer_email) as "customerEmail",
            i.created_at as "createdAt", i.payer_address as "payerAddress", one.claimed as "isClaimed"
       from one join payment_intents i on i.merchant_id = $1 and i.id = one.id
       left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       left join customers c on c.merchant_id = s.merchant_id and c.id = s.customer_id
      where i.destination_address = $2 and i.status not in ('succeeded', 'canceled') and not i.is_refunding
        and s.unapplied_at is null and s.status is distinct from 'canceled'
        and (one.claimed or i.id = $4::uuid or ${FITS})
      order by i.id = $4::uuid desc nulls last, ${FITS} desc, one.claimed desc,
               abs(extract(epoch from i.created_at - $6::timestamptz)), i.id desc
      limit $7`,
    [merchantId, destination, signature, intentId, baseUnitsToCents(baseUnits), createdAt, limit],
  );
}
