import { findGivenCredit } from '../../billing/renewals/given-credit.ts';
import { type Intent, receivedCents } from '../../money/intents/intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import { baseUnitsToCents, type Cents } from '../../platform/lib/money.ts';
import { isRefundable, isUndecided, type PaymentException } from './exception.ts';
import { sumDecidedOfIntent, sumReservedOfException, sumReservedOfIntent } from './refund-queries.ts';

/** What is left of an exception's money, without what refunds of it take. `exceptId` is the refund that asks. */
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
 * What it received, without what refunds take, without what a person has decided about: kept, credited or sent back by
 * hand. And without what was sent beyond other refunds: the customer has that already, until somebody says that it came
 * back. What a plan change gave as account credit for the time that was paid is the customer's already too: `withGiven` counts it in.
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
