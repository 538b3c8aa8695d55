import type { Queryable } from '../../platform/db/database.ts';
import type { Refund } from './refund.ts';

/** Sums what other refunds of the invoice have sent back and for which credits were already revoked. */
export async function sumRevoking(
  tx: Queryable,
  { merchantId, invoiceId, id }: Pick<Refund, 'merchantId' | 'invoiceId' | 'id'>,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and invoice_id = $2 and id <> $3 and status = 'succeeded' and revoke_credits
        and effects_due_at is null`,
    [merchantId, invoiceId, id],
  );
  return row!.cents;
}

export async function sumSucceededOfException(
  tx: Queryable,
  merchantId: string,
  exceptionId: string,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and exception_id = $2 and status = 'succeeded'`,
    [merchantId, exceptionId],
  );
  return row!.cents;
}

/**
 * Sums the succeeded refunds of a payment, and the part of them that returned an overpayment without naming an
 * exception.
 */
export async function sumSucceededOfIntent(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<{ cents: bigint; overpaidCents: bigint }> {
  const [row] = await tx.query<{ cents: bigint; overpaidCents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents,
            coalesce(sum(amount_cents) filter (where reason = 'overpaid' and exception_id is null), 0) as overpaid_cents
       from refunds where merchant_id = $1 and payment_intent_id = $2 and status = 'succeeded'`,
    [merchantId, intentId],
  );
  return row!;
}
