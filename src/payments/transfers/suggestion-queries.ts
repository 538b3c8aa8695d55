import type { Queryable } from '../../platform/db/database.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import type { PaymentException } from './exception.ts';

export interface Candidate {
  paymentIntentId: string;
  orderId: string | null;
  status: string;
  amountCents: bigint;
  missingCents: bigint;
  /** Part of it that is a tip. */
  tipCents: bigint;
  customerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  createdAt: Date;
  payerAddress: string | null;
  isClaimed: boolean;
  /** The same transaction is claimed for another intent too. */
  isContested: boolean;
}

/** Open orders whose amount fits are looked for among this many; older ones are found by searching. */
const MAX_LOOKED_AT = 200;

const MISSING = 'ceil((i.expected_amount_cents::numeric * 10000 - i.received_base_units) / 10000)';
const NEARNESS = 'abs(extract(epoch from i.created_at - $6::timestamptz))';
/** Tips are voluntary: an order is paid once its goods are. */
const FITS = `${MISSING} - $5 in (0, coalesce(s.tip_cents, 0))`;

/** Anybody can claim a transaction, which is public, for any order: so many claims are listed, or put before the rest. */
const MAX_CLAIMED = 3;

/**
 * Intents at the same address that can still get the money: named by the payment, missing exactly this amount, with or
 * without the tip, or claimed by a payer. What was there when the money came is before what was made since, and of each the
 * nearest in time come first.
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
     ), one as (
       select f.id, bool_or(f.claimed) as claimed, i.created_at <= $6 as was_there, ${NEARNESS} as nearness
         from found f join payment_intents i on i.merchant_id = $1 and i.id = f.id group by f.id, i.created_at
     ), fitting as (
       select one.*, ${FITS} as fits
         from one join payment_intents i on i.merchant_id = $1 and i.id = one.id
         left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
        where i.destination_address = $2 and i.status not in ('succeeded', 'canceled') and not i.is_refunding
          and s.unapplied_at is null and s.status is distinct from 'canceled'
     ), ranked as (
       select f.*, row_number() over (partition by claimed, fits order by was_there desc, nearness, id desc) as place
         from fitting f
     )
     select i.id as payment_intent_id, i.order_id, i.status,
            i.expected_amount_cents as amount_cents, ${MISSING} as missing_cents,
            coalesce(s.tip_cents, 0) as tip_cents,
            s.customer_id, coalesce(c.name, s.customer_name) as customer_name,
            coalesce(c.email, s.customer_email) as customer_email,
            i.created_at, i.payer_address, r.claimed as is_claimed,
            exists (select from payment_claims p where p.merchant_id = $1 and p.signature = $3 and p.intent_id <> i.id)
              as is_contested
       from ranked r join payment_intents i on i.merchant_id = $1 and i.id = r.id
       left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       left join customers c on c.merchant_id = s.merchant_id and c.id = s.customer_id
      where i.id = $4::uuid or r.fits or (r.claimed and r.place <= ${MAX_CLAIMED})
      order by i.id = $4::uuid desc nulls last, r.fits desc, r.was_there desc,
               r.claimed and r.place <= ${MAX_CLAIMED} desc, r.nearness, i.id desc
      limit $7`,
    [merchantId, destination, signature, intentId, baseUnitsToCents(baseUnits), createdAt, limit],
  );
}
