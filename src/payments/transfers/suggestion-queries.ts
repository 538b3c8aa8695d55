import type { Queryable } from '../../platform/db/database.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { firstIdAt } from '../../platform/lib/ids.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import { MAX_EXCHANGE_FEE_CENTS, MIN_EXCHANGE_FEE_CENTS } from '../reserved-amounts/exchange-fee.ts';
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
  /** It lacks this much and a plausible fee of an exchange, and was there when the money came. */
  isLessAFee: boolean;
  /** An amount that is reserved for it is this much and a fee of whole cents: the rest of its digits are the same. */
  isReservedLessAFee: boolean;
}

/** Open orders whose amount fits are looked for among this many; older ones are found by searching. */
const MAX_LOOKED_AT = 200;

const MISSING = 'ceil((i.expected_amount_cents::numeric * 10000 - i.received_base_units) / 10000)';
const NEARNESS = 'abs(extract(epoch from i.created_at - $6::timestamptz))';
/** Tips are voluntary: an order is paid once its goods are. */
const FITS = `${MISSING} - $5 in (0, coalesce(s.tip_cents, 0))`;

/** Its reserved amount less a fee of whole cents, which leaves the digits beyond the cent. */
const RESERVED_LESS_A_FEE = `(${MISSING} > $5 and exists (
  select from reserved_amounts r where r.merchant_id = $1 and r.intent_id = i.id and r.destination = $2
     and r.base_units - $8::numeric between 10000 and ${MAX_EXCHANGE_FEE_CENTS} * 10000
     and (r.base_units - $8::numeric) % 10000 = 0 and r.reserved_at <= $6))`;

/** Too little even for the goods, by no more than a fee and than what arrived. */
const LESS_A_FEE = `(i.created_at <= $6 and (${RESERVED_LESS_A_FEE}
  or (${MISSING} - coalesce(s.tip_cents, 0) > $5
      and ${MISSING} - $5 between ${MIN_EXCHANGE_FEE_CENTS} and least(${MAX_EXCHANGE_FEE_CENTS}, $5))))`;

/** Anybody can claim a transaction, which is public, for any order: so many claims are listed, or put before the rest. */
const MAX_CLAIMED = 3;
/** Many amounts are a fee apart by chance: so many are listed, besides those that more speaks for. */
const MAX_LESS_A_FEE = 3;
/** Orders can be paid for about as long. */
const DAYS_BEFORE = 30;

/** Intents to look at, with whether a payer claims the money for them. */
const FOUND = `
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
  union all
  (select intent_id, false from reserved_amounts
    where merchant_id = $1 and destination = $2 and (base_units - $8::numeric) % 10000 = 0
      and base_units between $8::numeric + 10000 and $8::numeric + ${MAX_EXCHANGE_FEE_CENTS} * 10000
    limit ${MAX_LOOKED_AT})
  union all
  (select id, false from payment_intents
    where merchant_id = $1 and id between $9::uuid and $10::uuid
      and expected_amount_cents between $5::bigint + ${MIN_EXCHANGE_FEE_CENTS} and $5::bigint + ${MAX_EXCHANGE_FEE_CENTS}
    order by id desc limit ${MAX_LOOKED_AT})`;

/**
 * Intents at the same address that can still get the money: named by the payment, missing exactly this amount, with or
 * without the tip, missing it and a plausible fee of an exchange, or claimed by a payer. What was there when the money came is
 * before what was made since, and of each the nearest in time come first.
 */
export async function listCandidates(
  db: Queryable,
  { merchantId, destination, signature, intentId, baseUnits, createdAt }: PaymentException,
  limit: number,
): Promise<Candidate[]> {
  return db.query<Candidate>(
    `with found as (${FOUND}
     ), one as (
       select f.id, bool_or(f.claimed) as claimed, i.created_at <= $6 as was_there, ${NEARNESS} as nearness
         from found f join payment_intents i on i.merchant_id = $1 and i.id = f.id group by f.id, i.created_at
     ), fitting as (
       select one.*, ${FITS} as fits, ${LESS_A_FEE} as less_a_fee, ${RESERVED_LESS_A_FEE} as reserved_less_a_fee
         from one join payment_intents i on i.merchant_id = $1 and i.id = one.id
         left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
        where i.destination_address = $2 and i.status not in ('succeeded', 'canceled') and not i.is_refunding
          and s.unapplied_at is null and s.status is distinct from 'canceled'
     ), ranked as (
       select f.*, row_number() over (partition by claimed, fits order by was_there desc, nearness, id desc) as place,
              row_number() over (partition by less_a_fee, fits order by nearness, id desc) as fee_place
         from fitting f
     )
     select i.id as payment_intent_id, i.order_id, i.status,
            i.expected_amount_cents as amount_cents, ${MISSING} as missing_cents,
            coalesce(s.tip_cents, 0) as tip_cents,
            s.customer_id, coalesce(c.name, s.customer_name) as customer_name,
            coalesce(c.email, s.customer_email) as customer_email,
            i.created_at, i.payer_address, r.claimed as is_claimed,
            exists (select from payment_claims p where p.merchant_id = $1 and p.signature = $3 and p.intent_id <> i.id)
              as is_contested,
            r.less_a_fee as is_less_a_fee, r.reserved_less_a_fee as is_reserved_less_a_fee
       from ranked r join payment_intents i on i.merchant_id = $1 and i.id = r.id
       left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       left join customers c on c.merchant_id = s.merchant_id and c.id = s.customer_id
      where i.id = $4::uuid or r.fits or (r.claimed and r.place <= ${MAX_CLAIMED})
         or r.reserved_less_a_fee or (r.less_a_fee and r.fee_place <= ${MAX_LESS_A_FEE})
      order by i.id = $4::uuid desc nulls last, r.reserved_less_a_fee desc, r.fits desc, r.was_there desc,
               r.claimed and r.place <= ${MAX_CLAIMED} desc, r.less_a_fee desc, r.nearness, i.id desc
      limit $7`,
    [
      merchantId,
      destination,
      signature,
      intentId,
      baseUnitsToCents(baseUnits),
      createdAt,
      limit,
      baseUnits,
      firstIdAt(addDays(createdAt, -DAYS_BEFORE)),
      firstIdAt(createdAt),
    ],
  );
}
