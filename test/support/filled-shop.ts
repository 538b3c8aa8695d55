import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { DRAWING } from './shop-past.ts';

const DAYS = 30;

/**
 * A month of trade, written at once: about as many customers and intents, three in four with a checkout and its invoice,
 * subscriptions where the price is one, credits, usage, webhooks and exceptions. What is sold, and where, are the
 * projects, prices, payment links and terminals that the shop has.
 */
export async function fillShop(db: Database, merchantId: string, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    // Row by row, foreign keys would take most of the time; everything named exists.
    await tx.query('set local session_replication_role = replica');
    await tx.query(DRAWING.luck);
    await tx.query(DRAWING.name);
    await tx.query(DRAWING.moments, [count, DAYS]);
    await tx.query(DRAWING.people, [merchantId]);
    await tx.query('analyze moments, people');
    await tx.query(DRAWING.past, [merchantId]);
    await tx.query('analyze past');
    for (const fill of FILL) await tx.query(fill);
    await tx.query('drop table past, people, moments');
  });
  await db.query('analyze');
}

/** Rows of the past, in an order in which everything named exists. */
const FILL = [
  `insert into customers (merchant_id, id, project_id, external_customer_id, email, email_source, name, created_at)
   select merchant, self, home, 'user_' || 10000 + n,
          lower(replace(name, ' ', '.')) || '@' || (array['fastmail', 'post', 'studio'])[1 + n % 3] || n || '.example', 'merchant',
          case when n % 9 > 0 then name end, uuid_extract_timestamp(self)
     from (select *, pg_temp.name_of(n) as name from past) as p`,

  `insert into postings (merchant_id, id, project_id, customer_id, delta_credits, credits_after, cents_after, counter_account,
                         reason, created_at)
   select merchant, id, home, self, 250 * (1 + n % 9), 250 * (1 + n % 9), 0, 'adjustment', 'Welcome gift', at
     from past where n % 3 = 0`,

  `insert into balances (merchant_id, customer_id, credits, sequence)
   select merchant_id, customer_id, delta_credits, 1 from postings where id in (select id from past)`,

  `insert into payment_intents (merchant_id, id, order_id, terminal_id, expected_amount_cents, received_base_units,
                                reference_address, destination_address, status, tx_signature, sequence, created_at,
                                expires_at, succeeded_at, session_ordering_key)
   select p.merchant, p.id, case when n % 8 > 0 then 'order-' || 20000 + n end, terminal, cents,
          case intent_status when 'succeeded' then cents * 10000 when 'underpaid' then cents * 4000 else 0 end,
          replace(random::text, '-', '') || left(p.id::text, 8), m.payout_address, intent_status,
          case when intent_status in ('succeeded', 'underpaid') then signature end, 1, at, at + interval '1 day',
          case intent_status when 'succeeded' then at + interval '40 seconds' end, p.id
     from past p join merchants m on m.id = p.merchant`,

  `insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, anchor_at, period_index,
                              current_period_start, current_period_end, paid_through, cancel_at_period_end, canceled_at,
                              cancel_reason, sequence, created_at)
   select merchant, id, project, customer, price, life, start, case when start is not null then 0 end, start, start + period,
          start + period, life = 'active' and n % 17 = 0, case life when 'canceled' then at + (now() - at) / 2 end,
          case life when 'canceled' then 'requested' end, 1, at
     from (select *, case when life in ('active', 'canceled') then at + interval '40 seconds' end as start
             from (select *, case status when 'complete' then case when n % 13 = 0 then 'canceled' else 'active' end
                                         when 'open' then 'incomplete' else 'incomplete_expired' end as life
                     from past where mode = 'subscription' and not is_plain) as lived) as p`,

  `insert into checkout_sessions (merchant_id, id, project_id, mode, origin, status, payment_status, price_id, amount_cents,
                                  credit_amount, customer_id, external_customer_id, customer_name, merchant_reference,
                                  payment_link_id, payment_intent_id, subscription_id, token, checkout_url, sequence,
                                  created_at, expires_at, completed_at)
   select merchant, id, project, mode, case when link is null then 'key' else 'link' end, status,
          case status when 'complete' then 'paid' else 'unpaid' end, price, cents, credit_amount, customer,
          'user_' || 10000 + customer_n, case when customer_n % 9 > 0 then pg_temp.name_of(customer_n) end,
          case when n % 8 > 0 then 'order-' || 20000 + n end, link, id, case mode when 'subscription' then id end,
          'cs_' || replace(random::text, '-', ''), 'http://127.0.0.1/checkout/cs_' || replace(random::text, '-', ''), 2,
          at, at + interval '1 day', case status when 'complete' then at + interval '40 seconds' end
     from past where not is_plain`,

  `update payment_links l set payments_count = payments_count + s.paid
     from (select link, count(*) filter (where status = 'complete') as paid from past where not is_plain group by link) as s
    where l.id = s.link`,

  `insert into invoices (merchant_id, id, project_id, number, number_text, customer_id, checkout_session_id, subscription_id,
                         status, billing_reason, lines, subtotal_cents, total_cents, amount_paid_cents, due_at, period_start,
                         period_end, merchant_reference, tx_signature, sequence, created_at, paid_at)
   select merchant, id, project, number, 'INV-' || lpad(number::text, 6, '0'), customer, id,
          case mode when 'subscription' then id end,
          case status when 'complete' then 'paid' when 'canceled' then 'void' when 'expired' then 'uncollectible' else 'open' end,
          case mode when 'subscription' then 'subscription_create' else mode end,
          jsonb_build_array(jsonb_build_object('description', product, 'quantity', 1, 'unitAmountCents', cents,
            'amountCents', cents, 'priceId', price, 'periodStart', null, 'periodEnd', null)),
          cents, cents, case status when 'complete' then cents else 0 end, at + interval '1 day',
          case when mode = 'subscription' then at end, case when mode = 'subscription' then at + period end,
          case when n % 8 > 0 then 'order-' || 20000 + n end, case status when 'complete' then signature end, 2, at,
          case status when 'complete' then at + interval '40 seconds' end
     from (select past.*, p.last_invoice_number + row_number() over (partition by project order by n) as number
             from past join projects p on p.merchant_id = merchant and p.id = project where not is_plain) as p`,

  `update projects p set last_invoice_number = i.last
     from (select project_id, max(number) as last from invoices group by project_id) as i where p.id = i.project_id`,

  `update subscriptions s set latest_invoice_id = s.id where id in (select id from past)`,

  `insert into usage_records (merchant_id, id, project_id, metric, quantity, customer_id, idempotency_key, created_at)
   select merchant, id, project, (array['reports', 'exports', 'api.calls', 'seats'])[1 + n % 4],
          ceil(pg_temp.luck(n, 'use') * (array[40, 12, 900, 5])[1 + n % 4])::int, customer, 'past-' || n, at from past`,

  `insert into payment_exceptions (merchant_id, id, kind, status, signature, destination, mint, base_units, intent_id, note,
                                   created_at, resolved_at)
   select p.merchant, p.id, (array['unmatched', 'surplus', 'late', 'duplicate_order', 'wrong_mint', 'unmatched'])[1 + n % 6],
          case when at > now() - interval '3 days' then 'open' else 'returned' end, signature, m.payout_address,
          '${USDC_MINTS.sandbox}', ceil(cents * pg_temp.luck(n, 'part'))::bigint * 10000,
          case when n % 6 in (1, 2, 3) then p.id end,
          case when at > now() - interval '3 days' then null else 'Sent back to the payer' end, at,
          case when at > now() - interval '3 days' then null else at + interval '5 hours' end
     from past p join merchants m on m.id = p.merchant where n % 137 = 0`,

  `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, previous_status, ordering_key, body, created_at)
   select merchant, random, 'payment_intent.' || intent_status, 'payment_intent', id, 1, intent_status, 'pending', id,
          json_build_object('event', 'payment_intent.' || intent_status, 'data', json_build_object('id', id)), at
     from past where intent_status in ('succeeded', 'expired', 'underpaid')`,

  `insert into webhook_deliveries (merchant_id, id, event_id, event, ordinal, ordering_key, url, status, attempt_count, attempts,
                                   http_status, error, duration_ms, response_body, created_at, delivered_at)
   select merchant_id, uuidv7(created_at - clock_timestamp()), id, event, ordinal, ordering_key, 'https://lumen.example/hooks', result,
          tries, (select jsonb_agg(jsonb_build_object('number', i, 'startedAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', took,
                    'httpStatus', code, 'error', error)) from generate_series(1, tries) as i),
          code, error, took, case code when 200 then 'ok' else 'upstream timed out' end, created_at,
          case result when 'succeeded' then created_at + interval '1 second' end
     from (select e.*, case when is_good then 'succeeded' else 'failed' end as result, case when is_good then 1 else 12 end as tries,
                  case when is_good then 200 else 502 end as code,
                  case when not is_good then 'the endpoint answered 502 (the last of 12 attempts)' end as error,
                  40 + (ordinal % 90)::int as took
             from (select *, ordinal % 397 > 0 as is_good from events where id in (select random from past)) as e) as d`,
];
