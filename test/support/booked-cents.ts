import type { Database } from '../../src/platform/db/database.ts';

/** Cents that have come for an intent: what it has received, and what became final after it had been paid. */
export async function bookedCents(db: Database, intentId: string): Promise<bigint> {
  const [row] = await db.query<{ cents: bigint }>(
    `select div(received_base_units + (select coalesce(sum(base_units), 0) from payment_exceptions e
                                        where e.merchant_id = i.merchant_id and e.intent_id = i.id and is_after_payment), 10000)::bigint
            as cents
       from payment_intents i where id = $1`,
    [intentId],
  );
  return row!.cents;
}
