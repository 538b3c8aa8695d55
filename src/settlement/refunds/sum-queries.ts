import type { Queryable } from '../../platform/db/database.ts';
import type { Refund } from './refund.ts';

/** What other refunds already take of a payment's money. The caller holds the lock of the intent. */
export async function sumReservedOfIntent(
  tx: Queryable,
  merchantId: string,
  intentId: string,
  exceptId: string | null,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and payment_intent_id = $2 and status not in ('canceled', 'expired')
        and id is distinct from $3`,
    [merchantId, intentId, exceptId],
  );
  return row!.cents;
}

/** What other refunds of the invoice have sent back whose credits were revoked already. */
export async function sumRevoking(
  tx: Queryable,
  { merchantId, invoiceId, id }: Pick<Refund, 'merchantId' | 'invoiceId' | 'id'>,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0)::bigint as cents from refunds
      where merchant_id = $1 and invoice_id = $2 and id <> $3 and status = 'succeeded' and revoke_credits
        and effects_due_at is null`,
    [merchantId, invoiceId, id],
  );
  return row!.cents;
}

/** The same of the money of an exception, whose lock the caller holds. */
export async function sumReservedOfException(
  tx: Queryable,
  merchantId: string,
  exceptionId: string,
  exceptId: string | null,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and exception_id = $2 and status not in ('canceled', 'expired')
        and id is distinct from $3`,
    [merchantId, exceptionId, exceptId],
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

export async function sumSucceededOfIntent(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and payment_intent_id = $2 and status = 'succeeded'`,
    [merchantId, intentId],
  );
  return row!.cents;
}
