import { EXPIRIES_PER_SECOND, RENEWALS_PER_SECOND } from './mix.ts';
import type { DayShop } from './open-day-shop.ts';

/**
 * Spreads work over the time to come: subscriptions renew, and intents that nobody pays expire. Returns when each
 * subscription is due, by the clock of the machine.
 */
export async function prepareDay(
  shop: DayShop,
  scale: number,
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  await shop.open(Math.ceil(EXPIRIES_PER_SECOND * scale * seconds), { from: 0, to: seconds });
  const count = Math.ceil(RENEWALS_PER_SECOND * scale * seconds);
  const { rows } = await shop.db.query<{ id: string; dueMs: number }>(SPREAD, [count, seconds]);
  if (rows.length < count) throw new Error(`only ${rows.length} of ${count} subscriptions can become due`);
  return new Map(rows.map(({ id, dueMs }) => [id, dueMs]));
}

const SPREAD = `
  update subscriptions b set next_step_at = clock_timestamp() + make_interval(secs => n * $2::float8 / $1::int)
    from (select merchant_id, id, row_number() over (order by random()) as n from subscriptions
           where renewal_invoice_id is null and next_step_at > now() + interval '12 hours' limit $1::int) as chosen
   where b.merchant_id = chosen.merchant_id and b.id = chosen.id
  returning b.id, extract(epoch from b.next_step_at)::float8 * 1000 as "dueMs"`;
