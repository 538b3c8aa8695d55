import type { ExceptionKind } from '../../payments/transfers/exception.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** A credit note with what decides how much of it takes back revenue. */
export interface NoteOfIntent {
  id: string;
  intentId: string;
  amountCents: bigint;
  isOverpaid: boolean;
  exceptionKind: ExceptionKind | null;
  /** True if the sale was booked before the note was written. */
  isEarned: boolean;
  /** True if its shares say how much belongs to the invoice. */
  isTaxed: boolean;
  sharedNetCents: bigint;
  sharedTaxCents: bigint;
  /** All that the sale has earned, and how much of that was to be paid in money. */
  earnedCents: bigint;
  payableCents: bigint;
  receivedCents: bigint;
}

/** Every credit note of these intents, in the order in which they were written. */
export async function listNotesOfIntents(
  db: Queryable,
  merchantId: string,
  intentIds: readonly string[],
): Promise<NoteOfIntent[]> {
  return db.query<NoteOfIntent>(
    `select n.id, r.payment_intent_id as intent_id, n.amount_cents,
            r.reason = 'overpaid' as is_overpaid, e.kind as exception_kind,
            coalesce(coalesce(v.paid_at, case when v.id is null then i.succeeded_at end) <= n.created_at, false)
              as is_earned,
            v.tax is not null as is_taxed, h.net as shared_net_cents, n.tax_cents as shared_tax_cents,
            coalesce(v.total_cents::numeric + v.credit_applied_cents - v.waived_cents,
                      i.expected_amount_cents - ceil(i.waived_base_units / 10000)) as earned_cents,
            coalesce(v.total_cents - v.waived_cents,
                      i.expected_amount_cents - ceil(i.waived_base_units / 10000)) as payable_cents,
            div(i.received_base_units, 10000) as received_cents
       from refunds r
       join credit_notes n on n.merchant_id = r.merchant_id and n.refund_id = r.id
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.payment_intent_id
       left join invoices v on v.merchant_id = r.merchant_id and v.id = r.invoice_id
       left join payment_exceptions e on e.merchant_id = r.merchant_id and e.id = r.exception_id
       cross join lateral (select coalesce(sum((s ->> 'netCents')::numeric), 0) as net
                             from jsonb_array_elements(n.shares) as s) h
      where r.merchant_id = $1 and r.payment_intent_id = any($2::uuid[])
      order by n.id`,
    [merchantId, intentIds],
  );
}
