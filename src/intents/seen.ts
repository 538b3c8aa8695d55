import { type BaseUnits, baseUnitsToCents, centsToBaseUnits } from '../platform/lib/money.ts';

/*
 * Money counts as seen from its first whole cent on. Less is dust: anyone can send it to anyone, so it must not
 * prevent an intent from being canceled, replaced or expired, block a terminal, or use up a limit. It is still
 * credited like any other money.
 */

/** True if this much, final or not, is more than dust. */
export function isSeen(baseUnits: BaseUnits): boolean {
  return addsCents(0n, baseUnits);
}

/** True if `more` adds at least one whole cent to what there was. */
export function addsCents(before: BaseUnits, more: BaseUnits): boolean {
  return baseUnitsToCents(before + more) > baseUnitsToCents(before);
}

const CENT = centsToBaseUnits(1n);

/**
 * The same in SQL, over rows of `payment_allocations` of the intent $2 of merchant $1: whether they add a whole cent to
 * what the intent has received. They do while some are not final, and for final ones until the intent follows.
 */
export const ALLOCATED_ADDS_CENTS = `
  div(coalesce(sum(base_units), 0), ${CENT})
    > (select div(received_base_units, ${CENT}) from payment_intents where merchant_id = $1 and id = $2)`;

/**
 * True if something that our fee payer has signed for the intent $2 of merchant $1 may land, or landed and is not read
 * yet.
 */
export const SIGNED_MAY_LAND = `exists (
  select from sponsored_transactions t
   where t.merchant_id = $1 and t.intent_id = $2 and t.state <> 'dropped' and not t.has_failed
     and not exists (select from payment_allocations a
                      where a.merchant_id = $1 and a.intent_id = $2 and a.signature = t.signature))`;

/** The same for what its payer has signed alone and we have sent. It is forgotten when it was read, or is too old to land. */
export const SENT_MAY_LAND = `exists (
  select from submitted_signatures s
   where s.merchant_id = $1 and s.intent_id = $2 and s.sends > 0
     and not exists (select from payment_allocations a
                      where a.merchant_id = $1 and a.intent_id = $2 and a.signature = s.signature))`;

/** The same in SQL, over rows of `credits`: whether all of it together is more than dust. */
export const IS_SEEN = `coalesce(sum(base_units), 0) >= ${CENT}`;
