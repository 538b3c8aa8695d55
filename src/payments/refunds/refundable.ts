import { lockAccountCredit } from '../../billing/ledger/post.ts';
import { findPosting } from '../../billing/ledger/queries.ts';
import type { Intent } from '../../intents/intent.ts';
import { lockIntent, lockIntentsById } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { isOfIntent, type PaymentException } from '../transfers/exception.ts';
import { lockException } from '../transfers/exception-queries.ts';
import { leftOfException, leftOfIntent } from '../transfers/left-to-refund.ts';

/** The money a refund is about, locked: always the exception before the intent, and the refund itself after both. */
export interface Source {
  exception: PaymentException | undefined;
  /** The intent that was credited with it, if one was. */
  intent: Intent | undefined;
}

export async function lockSource(
  tx: Tx,
  merchantId: string,
  { exceptionId, paymentIntentId }: { exceptionId: string | null; paymentIntentId: string | null },
): Promise<Source> {
  const exception = exceptionId === null ? undefined : await lockException(tx, merchantId, exceptionId);
  const intentId = intentIdOf({ paymentIntentId }, exception);
  const intent = intentId === null ? undefined : await lockIntent(tx, { merchantId, id: intentId });
  return { exception, intent };
}

interface SourceIds {
  merchantId: string;
  exceptionId: string | null;
  paymentIntentId: string | null;
}

/** The same for several refunds of different money, in an order in which they do not wait for each other. */
export async function lockSources(tx: Tx, refunds: readonly SourceIds[]): Promise<Source[]> {
  const exceptions = new Map<string, PaymentException>();
  for (const { merchantId, exceptionId } of refunds.toSorted(byException)) {
    const exception = exceptionId === null ? undefined : await lockException(tx, merchantId, exceptionId);
    if (exception) exceptions.set(exception.id, exception);
  }
  const refs = refunds.flatMap((refund) => {
    const id = intentIdOf(refund, exceptions.get(refund.exceptionId ?? ''));
    return id === null ? [] : [{ merchantId: refund.merchantId, id }];
  });
  const intents = new Map((await lockIntentsById(tx, refs)).map((intent) => [intent.id, intent]));
  return refunds.map((refund) => {
    const exception = exceptions.get(refund.exceptionId ?? '');
    return { exception, intent: intents.get(intentIdOf(refund, exception) ?? '') };
  });
}

function byException(a: SourceIds, b: SourceIds): number {
  return (a.exceptionId ?? '') < (b.exceptionId ?? '') ? -1 : 1;
}

function intentIdOf(
  { paymentIntentId }: Pick<SourceIds, 'paymentIntentId'>,
  exception: PaymentException | undefined,
): string | null {
  return paymentIntentId ?? (exception && isOfIntent(exception) ? exception.intentId : null);
}

/**
 * Returns the amount that can still be sent back, without what other refunds take. `exceptId` is the refund that
 * asks.
 */
export async function refundableCents(
  tx: Tx,
  source: Source,
  exceptId: string | null,
  counting: { withGiven?: boolean } = {},
): Promise<Cents> {
  const { exception, intent } = source;
  const ofException = exception && (await leftOfException(tx, exception, exceptId));
  const ofIntent = intent && (await leftOfIntent(tx, intent, exception, exceptId, counting));
  const left = [ofException, ofIntent].filter((cents) => cents !== undefined);
  return left.reduce((least, cents) => (cents < least ? cents : least));
}

/** The same for money that was sent already, where account credit that the customer has spent since is gone. */
export async function countableCents(tx: Tx, source: Source, exceptId: string): Promise<Cents> {
  const { exception } = source;
  if (exception && (await isSpentCredit(tx, exception))) return 0n;
  return refundableCents(tx, source, exceptId);
}

async function isSpentCredit(
  tx: Tx,
  { merchantId, postingId, refundId }: PaymentException,
): Promise<boolean> {
  if (postingId === null || refundId !== null) return false;
  const posting = (await findPosting(tx, merchantId, postingId))!;
  return (await lockAccountCredit(tx, posting)) < posting.deltaCents;
}
