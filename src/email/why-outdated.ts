/**
 * SQL for why the e-mail `l`, which asks its reader to do something, need not be done any more; null while it holds. Facts
 * that have become true stay so, and their e-mails are sent however late.
 */
export const WHY_OUTDATED = `case
  when l.kind <> 'canceled' and l.facts ->> 'payUrl' is not null and exists (
         select from invoices i
          where i.merchant_id = l.merchant_id and i.id = l.invoice_id and i.status <> 'open')
    then 'its invoice is no longer open'
  when l.kind = 'plan_change_to_pay' and exists (
         select from subscriptions s
          where s.merchant_id = l.merchant_id and s.id = l.subscription_id
            and s.pending_change ->> 'checkoutUrl' is distinct from l.facts ->> 'payUrl')
    then 'the change can no longer be paid'
  when l.kind = 'refund_claim' and exists (
         select from refunds r
          where r.merchant_id = l.merchant_id and r.id = l.refund_id and r.status <> 'awaiting_address')
    then 'the refund needs no address'
  when l.kind = 'email_confirmation' and not exists (
         select from portal_email_changes w
          where w.merchant_id = l.merchant_id and w.id = (l.facts ->> 'changeId')::uuid and w.outcome is null)
    then 'the change of the address has ended'
end`;
