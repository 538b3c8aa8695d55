import { IS_UNALLOCATED } from '../../payments/transfers/exception.ts';
import type { BooksPeriod, FactKind } from './fact.ts';

const RANGE = (column: string) => `${column} >= $3 and ${column} < $4`;
const PROJECT = (column: string) => `($2::uuid is null or ${column} = $2)`;

/** Whole cents of one part of a sum: parts up to this one are rounded down together, so that the parts add up. */
const CENTS = (table: string, same: string, part: string) => `(
    select div(sum(b.base_units), 10000) - div(sum(b.base_units) - ${part}.base_units, 10000)
      from ${table} b where ${same} and b.is_final
       and (b.created_at, b.signature) <= (${part}.created_at, ${part}.signature))::text`;

const OF_SESSION = (row: string, intent: string) => `
    left join payment_intents i on i.merchant_id = ${row}.merchant_id and i.id = ${intent}
    left join checkout_sessions s on s.merchant_id = ${row}.merchant_id and s.payment_intent_id = ${intent}
    left join invoices v on v.merchant_id = ${row}.merchant_id and v.checkout_session_id = s.id`;

/** Whole cents that an intent received beyond its price, if they are listed with what paid its order a second time. */
const BEYOND = (exception: string) => `
  (select greatest(0, div(b.received_base_units, 10000) - b.expected_amount_cents) from payment_intents b
    where ${exception}.kind = 'duplicate_order' and b.merchant_id = ${exception}.merchant_id and b.id = ${exception}.intent_id)`;

const BUYER = 's.project_id, s.customer_id, s.customer_name, s.customer_email';

/** Money that arrived for intents, to the cent as they count it. */
const ALLOCATED = `
  select t.block_time as at, 'receipt' as kind, 'receipt:' || t.signature || ':' || t.destination as id, ${BUYER},
         coalesce(v.number_text, i.order_id) as document, t.signature,
         jsonb_build_object('cents', ${CENTS('payment_allocations', 'b.merchant_id = a.merchant_id and b.intent_id = a.intent_id', 'a')}) as amounts
    from payment_allocations a join incoming_transfers t using (signature, destination)
    ${OF_SESSION('a', 'a.intent_id')}
   where a.merchant_id = $1 and a.is_final and ${RANGE('t.block_time')} and ${PROJECT('s.project_id')}`;

/**
 * Money that arrived and belongs to no intent. Without an order, it belongs to the project of the customer it was
 * credited to.
 */
const UNALLOCATED = `
  select t.block_time, 'receipt', 'receipt:' || t.signature || ':' || t.destination,
         coalesce(s.project_id, p.project_id), s.customer_id, s.customer_name, s.customer_email,
         coalesce(v.number_text, i.order_id), t.signature,
         jsonb_build_object('cents', div(e.base_units, 10000)::text)
    from payment_exceptions e join incoming_transfers t using (signature, destination)
    ${OF_SESSION('e', 'e.intent_id')}
    left join postings p on p.merchant_id = e.merchant_id and p.id = e.posting_id and e.status = 'credited'
   where e.merchant_id = $1 and e.status <> 'linked' and ${IS_UNALLOCATED('e')}
     and ${RANGE('t.block_time')} and ${PROJECT('coalesce(s.project_id, p.project_id)')}`;

const INVOICES = `
  select v.paid_at, 'invoice', 'invoice:' || v.id, v.project_id, v.customer_id, s.customer_name, s.customer_email,
         v.number_text, v.tx_signature,
         jsonb_build_object(
           'total', v.total_cents::text, 'tax', v.tax_cents::text, 'tip', coalesce(s.tip_cents, 0)::text,
           'waived', v.waived_cents::text, 'creditApplied', v.credit_applied_cents::text,
           'waivedTax', (select coalesce(sum((w ->> 'taxCents')::numeric), 0)
                           from jsonb_array_elements(v.waived_shares) as w)::text)
    from invoices v left join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
   where v.merchant_id = $1 and v.status = 'paid' and ${RANGE('v.paid_at')} and ${PROJECT('v.project_id')}`;

const SALES = `
  select i.succeeded_at, 'sale', 'sale:' || i.id, null::uuid, null::uuid, null, null, i.order_id, i.tx_signature,
         jsonb_build_object('cents', i.expected_amount_cents::text,
                            'waived', ceil(i.waived_base_units / 10000)::text)
    from payment_intents i
   where i.merchant_id = $1 and i.status = 'succeeded' and i.session_ordering_key is null
     and ${RANGE('i.succeeded_at')} and $2::uuid is null`;

const CREDITS = `
  select p.created_at, 'credit', 'credit:' || p.id, p.project_id, p.customer_id, null, null, v.number_text, null,
         jsonb_build_object('cents', p.delta_cents::text, 'counter', p.counter_account, 'reason', p.reason,
           'of', o.kind, 'beyond', coalesce(o.beyond, 0)::text)
    from postings p left join invoices v on v.merchant_id = p.merchant_id and v.id = p.invoice_id
    left join lateral (select e.kind, ${BEYOND('e')} as beyond from payment_exceptions e
                        where e.merchant_id = p.merchant_id
                          and (e.posting_id in (p.id, p.reverses_id)
                               or e.id in (select x.exception_id from exception_credits x
                                            where x.merchant_id = p.merchant_id and x.posting_id in (p.id, p.reverses_id)))
                        limit 1) o on true
   where p.merchant_id = $1 and p.delta_cents <> 0 and ${RANGE('p.created_at')} and ${PROJECT('p.project_id')}`;

const REFUNDS = `
  select a.block_time, 'refund', 'refund:' || a.refund_id || ':' || a.signature, r.project_id, r.customer_id, null, null,
         'RF-' || lpad(r.number::text, greatest(6, length(r.number::text)), '0'), a.signature,
         jsonb_build_object('cents', ${CENTS('refund_transfers', 'b.merchant_id = a.merchant_id and b.refund_id = a.refund_id', 'a')})
    from refund_transfers a join refunds r on r.merchant_id = a.merchant_id and r.id = a.refund_id
   where a.merchant_id = $1 and a.is_final and ${RANGE('a.block_time')} and ${PROJECT('r.project_id')}`;

const CREDIT_NOTES = `
  select n.created_at, 'credit_note', 'credit_note:' || n.id, n.project_id, n.customer_id, null, null,
         'CN-' || lpad(n.number::text, greatest(6, length(n.number::text)), '0'), r.tx_signature,
         jsonb_build_object('cents', n.amount_cents::text, 'intentId', r.payment_intent_id)
    from credit_notes n join refunds r on r.merchant_id = n.merchant_id and r.id = n.refund_id
   where n.merchant_id = $1 and ${RANGE('n.created_at')} and ${PROJECT('n.project_id')}`;

/**
 * Decisions without a refund that sent the money, or what such refunds left of it; and what was sent beyond a refund.
 */
const DECISIONS = `
  select e.resolved_at, 'decision', 'decision:' || e.id, ${BUYER}, coalesce(v.number_text, i.order_id), e.signature,
         jsonb_build_object('end', e.status, 'of', e.kind, 'beyond', coalesce(${BEYOND('e')}, 0)::text,
           'cents', (div(e.base_units, 10000) - (select coalesce(sum(o.amount_cents), 0) from refunds o
              where o.merchant_id = e.merchant_id and o.exception_id = e.id and o.status = 'succeeded'))::text)
    from payment_exceptions e
    left join refunds r on r.merchant_id = e.merchant_id and r.id = e.refund_id
    ${OF_SESSION('e', 'coalesce(e.linked_intent_id, e.intent_id)')}
   where e.merchant_id = $1 and e.status in ('kept', 'returned') and e.kind <> 'wrong_mint'
     and (e.refund_id is null or r.exception_id = e.id or e.kind = 'over_refunded')
     and ${RANGE('e.resolved_at')} and ${PROJECT('s.project_id')}`;

const PARTS: Record<FactKind, readonly string[]> = {
  receipt: [ALLOCATED, UNALLOCATED],
  invoice: [INVOICES],
  sale: [SALES],
  credit: [CREDITS],
  refund: [REFUNDS],
  credit_note: [CREDIT_NOTES],
  decision: [DECISIONS],
};

/** Everything of these kinds in a period, oldest first; what has the same id comes together. */
export function listFactsText(kinds: readonly FactKind[]): string {
  return `
    with facts (at, kind, id, project_id, customer_id, customer_name, customer_email, document, signature, amounts) as (
      ${kinds.flatMap((kind) => PARTS[kind]).join('\n union all \n')})
    select f.at, f.kind, f.id, f.project_id, f.customer_id, f.document, f.signature,
           coalesce(c.name, f.customer_name) as customer_name,
           coalesce(c.email, f.customer_email) as customer_email, f.amounts
      from facts f left join customers c on c.merchant_id = $1 and c.id = f.customer_id
     order by f.at, f.id collate "C", f.document, f.amounts`;
}

export function factValues({ merchantId, projectId, from, to }: BooksPeriod): unknown[] {
  return [merchantId, projectId, from, to];
}
