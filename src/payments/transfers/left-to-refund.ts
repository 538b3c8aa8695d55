import { findGivenCredit } from '../../billing/renewals/given-credit.ts';
import { type Intent, receivedCents } from '../../intents/intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import { baseUnitsToCents, type Cents } from '../../platform/lib/money.ts';
import { isRefundable, isUndecided, type PaymentException } from './exception.ts';
import { sumDecidedOfIntent, sumReservedOfException, sumReservedOfIntent } from './refund-queries.ts';

/** Returns what is left of an exception's money after its refunds. `exceptId` is the refund that asks. */
export async function leftOfException(
  tx: Tx,
  exception: PaymentException,
  exceptId: string | null,
): Promise<Cents> {
  if (!isRefundable(exception) || !isUndecided(exception)) return 0n;
  const { merchantId, id, baseUnits } = exception;
  return atLeastNothing(
    baseUnitsToCents(baseUnits) - (await sumReservedOfException(tx, merchantId, id, exceptId)),
  );
}

/**
 * Returns what an intent received, minus its refunds and minus what a person has decided about: kept, credited or
 * sent back by hand. Money sent beyond other refunds is subtracted as well: the customer has it, until somebody says
 * that it came back. So is account credit that a plan change gave for paid time, unless `withGiven` counts it in.
 */
export async function leftOfIntent(
  tx: Tx,
  intent: Intent,
  asked: PaymentException | undefined,
  exceptId: string | null,
  { withGiven = false } = {},
): Promise<Cents> {
  const { merchantId, id } = intent;
  const reserved = await sumReservedOfIntent(tx, merchantId, id, exceptId);
  const decided = await sumDecidedOfIntent(tx, merchantId, id, {
    exceptionId: asked?.id ?? null,
    refundId: exceptId,
  });
  const given = withGiven ? undefined : await findGivenCredit(tx, merchantId, id);
  return atLeastNothing(receivedCents(intent) - reserved - decided - (given?.cents ?? 0n));
}

function atLeastNothing(cents: Cents): Cents {
  return cents > 0n ? cents : 0n;
}
