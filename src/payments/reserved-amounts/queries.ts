import { PAYABLE_INTERVAL } from '../../chain/solana/watched-account.ts';
import { type Intent, paymentIntents } from '../../intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type ReservedAmount, reservedAmounts } from './table.ts';

/** The amounts of an intent, the newest first: a tip or a part payment changes what is due, and then it gets another. */
export const listAmountsOf = (db: Queryable, { merchantId, id }: Ref): Promise<ReservedAmount[]> =>
  reservedAmounts.list(db, { merchantId, intentId: id }, 'order by reserved_at desc, base_units');

/** False if the amount is taken at this address; waits for a concurrent insert of it. */
export async function insertAmount(tx: Queryable, amount: Omit<ReservedAmount, 'endedAt'>): Promise<boolean> {
  const tail = 'on conflict (destination, base_units) do nothing returning intent_id';
  return (await reservedAmounts.insert(tx, amount, tail)).length > 0;
}

/**
 * True if another amount at the address differs by whole cents alone, and by no more than a fee: short of an exchange's fee, a
 * payment of one would be exactly the other.
 */
export async function hasFeeApart(
  tx: Queryable,
  destination: string,
  baseUnits: BaseUnits,
  fee: BaseUnits,
): Promise<boolean> {
  const rows = await tx.query(
    `select from reserved_amounts
      where destination = $1 and base_units between $2::numeric - $3::numeric and $2::numeric + $3::numeric
        and (base_units - $2::numeric) % 10000 = 0 limit 1`,
    [destination, baseUnits, fee],
  );
  return rows.length > 0;
}

/** Orders `o` at address $1 that lack a fraction of a cent, as only those do of which a part is paid, and what they lack. */
const LACKS_FRACTION = `o.destination_address = $1 and o.received_base_units % 10000 <> 0
             and o.status not in ('succeeded', 'canceled')`;
const LACKED = 'o.expected_amount_cents::numeric * 10000 - o.waived_base_units - o.received_base_units';

/** True if another order at the intent's address lacks exactly as much: then a payment of it would be for neither. */
export async function isRestOfAnother(
  tx: Queryable,
  { merchantId, id, destinationAddress }: Intent,
  baseUnits: BaseUnits,
): Promise<boolean> {
  const rows = await tx.query(
    `select from payment_intents o
      where ${LACKS_FRACTION} and ${LACKED} = $2::numeric and (o.merchant_id, o.id) <> ($3, $4) limit 1`,
    [destinationAddress, baseUnits, merchantId, id],
  );
  return rows.length > 0;
}

/** Lists the amounts of a range that are reserved at an address, in quarantine, or what an order there lacks, whichever merchant's. */
export async function listUnavailableAmounts(
  tx: Queryable,
  destination: string,
  { from, to }: { from: BaseUnits; to: BaseUnits },
): Promise<BaseUnits[]> {
  const rows = await tx.query<{ baseUnits: BaseUnits }>(
    `select base_units from reserved_amounts where destination = $1 and base_units between $2::numeric and $3::numeric
      union
     select ${LACKED} from payment_intents o
      where ${LACKS_FRACTION} and ${LACKED} between $2::numeric and $3::numeric`,
    [destination, from, to],
  );
  return rows.map(({ baseUnits }) => baseUnits);
}

/** Block times are whole seconds and lag by some: nobody has paid what they could not know yet. */
const LAG_SECONDS = 5;

/**
 * Locks the intent that an amount is reserved for at its address. Money that came before the reservation was for something
 * else, and so may be what is exactly the rest of another order there.
 */
export async function lockIntentOfAmount(
  tx: Queryable,
  { destination, baseUnits, blockTime }: { destination: string; baseUnits: BaseUnits; blockTime: Date },
): Promise<Intent | undefined> {
  const [intent] = await tx.query<Intent>(
    `select ${paymentIntents.columns('i')} from reserved_amounts r
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.intent_id
        and i.destination_address = r.destination
      where r.destination = $1 and r.base_units = $2::numeric and r.reserved_at < $3
        and not exists (
          select from payment_intents o
           where ${LACKS_FRACTION} and ${LACKED} = $2::numeric and (o.merchant_id, o.id) <> (i.merchant_id, i.id))
      for no key update of i`,
    [destination, baseUnits, addSeconds(blockTime, LAG_SECONDS)],
  );
  return intent;
}

/** Nothing can pay it any more: what comes for it is an exception, and no payment. */
const HAS_ENDED = `(i.status in ('succeeded', 'canceled') or i.is_withdrawn or i.expires_at < $1::timestamptz - ${PAYABLE_INTERVAL})`;

/** Notes of which amounts the intent has ended, or can be paid again. */
export async function updateEnded(tx: Queryable, now: Date): Promise<void> {
  await tx.query(
    `update reserved_amounts r set ended_at = case when r.ended_at is null then greatest($1, r.reserved_at) end
       from payment_intents i
      where i.merchant_id = r.merchant_id and i.id = r.intent_id and (r.ended_at is null) = ${HAS_ENDED}`,
    [now],
  );
}

/** Deletes amounts whose intent has ended before a moment; returns how many. */
export async function deleteEnded(tx: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from reserved_amounts where (merchant_id, intent_id, base_units) in (
       select merchant_id, intent_id, base_units from reserved_amounts
        where ended_at < $1 order by ended_at limit $2)
     returning 1`,
    [before, limit],
  );
  return rows.length;
}
