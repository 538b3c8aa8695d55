import type { Queryable } from '../../platform/db/database.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';

/**
 * Overwrites everything that can name a person. Each table belongs to another folder; all of it is overwritten only
 * here, so that it can be read in one place. Numbers, states, times and our own ids stay.
 */

/** Lets this transaction overwrite what otherwise only grows; the database checks what becomes of it. */
export async function prepareOverwriting(tx: Queryable, { customerId }: CustomerRef): Promise<void> {
  await tx.query(`select set_config('florin.erasing_customer', $1, true)`, [customerId]);
}

/**
 * Overwrites the customer's own row: from then on they are not found, and the same address or external id makes a new
 * customer.
 */
export async function overwriteCustomer(
  tx: Queryable,
  { merchantId, customerId }: CustomerRef,
  now: Date,
): Promise<void> {
  await tx.query(
    `update customers set external_customer_id = null, email = null, email_source = null, name = null, language = null, metadata = '{}',
            address = null, country = null, is_business = false, tax_ids = '[]', erased_at = $3
      where merchant_id = $1 and id = $2`,
    [merchantId, customerId, now],
  );
  await tx.query(
    `delete from emails where merchant_id = $1 and customer_id = $2
        and kind in ('portal_sign_in', 'email_confirmation', 'email_change')`,
    [merchantId, customerId],
  );
  await tx.query('delete from portal_email_changes where merchant_id = $1 and customer_id = $2', [
    merchantId,
    customerId,
  ]);
  await tx.query('delete from portal_sessions where merchant_id = $1 and customer_id = $2', [
    merchantId,
    customerId,
  ]);
  await tx.query('delete from notes where merchant_id = $1 and customer_id = $2', [merchantId, customerId]);
  await tx.query(`delete from invoices where merchant_id = $1 and customer_id = $2 and status = 'draft'`, [
    merchantId,
    customerId,
  ]);
}

type Page = CustomerRef & { ids: readonly string[] };

async function run(tx: Queryable, statement: string, { merchantId, ids }: Page): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(statement, [merchantId, ids]);
  return rows.map(({ id }) => id);
}

/** Sessions, with their payment intents first, as everywhere. Returns the other rows that have events. */
export async function overwriteSessions(tx: Queryable, page: Page): Promise<string[]> {
  const intents = await run(
    tx,
    `update payment_intents i set metadata = '{}', order_id = null
       from (select i.merchant_id, i.id from payment_intents i
              where i.merchant_id = $1 and i.id = any(array(select payment_intent_id from checkout_sessions
                                                             where merchant_id = $1 and id = any($2)))
              order by i.id for no key update) as locked
      where i.merchant_id = locked.merchant_id and i.id = locked.id returning i.id`,
    page,
  );
  await run(
    tx,
    `update checkout_sessions set external_customer_id = null, customer_email = null, customer_name = null,
            merchant_reference = null, client_reference_id = null, metadata = '{}', success_url = null, cancel_url = null
      where merchant_id = $1 and id = any($2) returning id`,
    page,
  );
  await run(tx, 'update trials set email = null where merchant_id = $1 and session_id = any($2)', page);
  await run(
    tx,
    'update discount_redemptions set email = null where merchant_id = $1 and session_id = any($2)',
    page,
  );
  const ofIntents = { ...page, ids: intents };
  await run(
    tx,
    'delete from notes where merchant_id = $1 and payment_intent_id = any($2) returning id',
    ofIntents,
  );
  const exceptions = [
    ...(await run(tx, exceptionsBy('intent_id'), ofIntents)),
    ...(await run(tx, exceptionsBy('linked_intent_id'), ofIntents)),
  ];
  return [...intents, ...exceptions];
}

function exceptionsBy(column: 'intent_id' | 'linked_intent_id' | 'refund_id' | 'posting_id'): string {
  return `update payment_exceptions set note = null where merchant_id = $1 and ${column} = any($2) returning id`;
}

export async function overwriteSubscriptions(tx: Queryable, page: Page): Promise<string[]> {
  await run(
    tx,
    `update subscriptions set merchant_reference = null, client_reference_id = null, metadata = '{}',
            success_url = null, cancel_url = null
      where merchant_id = $1 and id = any($2) returning id`,
    page,
  );
  await run(tx, 'delete from emails where merchant_id = $1 and subscription_id = any($2) returning id', page);
  return [];
}

/** Keeps paid invoices as documents: their lines stay, and so does the buyer, as far as the document must name one. */
export async function overwriteInvoices(tx: Queryable, page: Page): Promise<string[]> {
  await run(
    tx,
    `update invoices set merchant_reference = null, client_reference_id = null, metadata = '{}', memo = null,
            lines = (
              select coalesce(jsonb_agg(
                       case when status <> 'paid' then line || '{"description": "Erased"}'
                            when line ->> 'description' = 'Payment for ' || merchant_reference
                              then line || '{"description": "Payment"}'
                            else line end order by place), '[]')
                from jsonb_array_elements(lines) with ordinality as each(line, place)),
            tax = case when jsonb_typeof(tax -> 'buyer') <> 'object' then tax
                       when status = 'paid' then jsonb_set(tax, '{buyer,email}', 'null')
                       else jsonb_set(tax, '{buyer}', 'null') end
      where merchant_id = $1 and id = any($2) returning id`,
    page,
  );
  await run(tx, 'delete from emails where merchant_id = $1 and invoice_id = any($2) returning id', page);
  return [];
}

/** An address that money went to stays, as it does on the chain; one that it never went to does not. */
export async function overwriteRefunds(tx: Queryable, page: Page): Promise<string[]> {
  const unsent = `status in ('canceled', 'expired') and sent_base_units = 0 and check_at is null`;
  await run(
    tx,
    `update refunds set note = null, metadata = '{}', claim_token_hash = null,
            address = case when ${unsent} then null else address end,
            address_source = case when ${unsent} then null else address_source end,
            address_approved_at = case when ${unsent} then null else address_approved_at end
      where merchant_id = $1 and id = any($2) returning id`,
    page,
  );
  await run(
    tx,
    `update credit_notes set tax = jsonb_set(tax, '{buyer,email}', 'null')
      where merchant_id = $1 and refund_id = any($2) and tax #>> '{buyer,email}' is not null returning id`,
    page,
  );
  await run(tx, 'delete from emails where merchant_id = $1 and refund_id = any($2) returning id', page);
  return run(tx, exceptionsBy('refund_id'), page);
}

export async function overwritePostings(tx: Queryable, page: Page): Promise<string[]> {
  await run(
    tx,
    'update postings set reason = null where merchant_id = $1 and id = any($2) and reason is not null returning id',
    page,
  );
  // Payments by others that became this customer's account credit, or once did: undoing that removed the note, but not the events.
  const now = await run(tx, exceptionsBy('posting_id'), page);
  const once = await run(
    tx,
    'select exception_id as id from exception_credits where merchant_id = $1 and posting_id = any($2)',
    page,
  );
  return [...new Set([...now, ...once])];
}

/** The key still proves that the usage was recorded, without the merchant's own words. */
export async function overwriteUsage(tx: Queryable, page: Page): Promise<string[]> {
  await run(
    tx,
    `update usage_records set idempotency_key = 'erased:' || id where merchant_id = $1 and id = any($2) returning id`,
    page,
  );
  return [];
}

export interface StoredEvent {
  id: string;
  event: string;
  objectId: string;
  sequence: number;
  body: string;
}

export async function updateBodies(
  tx: Queryable,
  merchantId: string,
  events: readonly { id: string; body: string }[],
): Promise<void> {
  await tx.query(
    `update events e set body = w.body from unnest($2::uuid[], $3::text[]) as w(id, body)
      where e.merchant_id = $1 and e.id = w.id`,
    [merchantId, events.map(({ id }) => id), events.map(({ body }) => body)],
  );
}

/** Deletes the stored answers of receivers: they may repeat what they were sent. */
export async function overwriteDeliveries(
  tx: Queryable,
  merchantId: string,
  eventIds: readonly string[],
): Promise<void> {
  for (const one of ['resend_of is null', 'resend_of is not null'])
    await tx.query(
      `update webhook_deliveries set response_body = null
        where merchant_id = $1 and event_id = any($2) and ${one} and response_body is not null`,
      [merchantId, eventIds],
    );
}

/** A repeat of the request is refused as a conflict, for as long as its key is kept. */
export async function overwriteAnswers(
  tx: Queryable,
  merchantId: string,
  keys: readonly { operation: string; key: string }[],
): Promise<void> {
  await tx.query(
    `update idempotency_keys k set answer = null from unnest($2::text[], $3::text[]) as w(operation, key)
      where k.merchant_id = $1 and k.operation = w.operation and k.key = w.key`,
    [merchantId, keys.map(({ operation }) => operation), keys.map(({ key }) => key)],
  );
}
