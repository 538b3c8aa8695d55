import { findCustomer, lockCustomerForUse } from '../../accounts/customers/queries.ts';
import { findProjectOfIntent } from '../../billing/checkout-sessions/queries.ts';
import { post } from '../../billing/ledger/post.ts';
import { findPosting } from '../../billing/ledger/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import { isRefundable, type PaymentException } from './exception.ts';
import { exceptionCredits } from './exception-queries.ts';
import {
  lockUndecided,
  type Resolve,
  requireUnrefunded,
  requireWhole,
  resolve,
  reverseCredit,
} from './resolve-exception.ts';

/**
 * The merchant keeps the money, as a tip or as agreed with the payer. Nothing is booked: it is already theirs. What was sent
 * beyond a refund is kept by the customer.
 */
export async function keepException(tx: Tx, input: Resolve, note: string | null): Promise<PaymentException> {
  const exception = await lockUndecided(tx, input);
  if (exception.postingId !== null)
    throw new AppError('INVALID_STATE', {
      message: 'This money is account credit of the customer: credit it, link it or return it.',
    });
  if (exception.kind !== 'over_refunded') requireWhole(exception);
  await requireUnrefunded(tx, exception);
  return resolve(tx, input, exception, { status: 'kept', note, resolvedAt: input.now });
}

export interface Credit {
  /** Customer to credit; not needed if the money is already a customer's account credit. */
  customerId: string | undefined;
  note: string | null;
}

/** The money is a customer's account credit, either from now on or since it arrived. */
export async function creditException(
  tx: Tx,
  input: Resolve,
  { customerId, note }: Credit,
): Promise<PaymentException> {
  const exception = await lockUndecided(tx, input);
  if (!isRefundable(exception))
    throw new AppError('INVALID_STATE', {
      message: `An exception of kind ${exception.kind} cannot become account credit.`,
    });
  requireWhole(exception);
  await requireUnrefunded(tx, exception);
  const postingId =
    (await creditOf(tx, exception, customerId)) ??
    (await creditCustomer(tx, exception, customerId, input.now));
  const { merchantId, id: exceptionId, postingId: before } = exception;
  const replacedPostingId = before === postingId ? null : before;
  const credit = { merchantId, postingId, exceptionId, replacedPostingId };
  await exceptionCredits.insert(tx, credit, 'on conflict do nothing');
  return resolve(tx, input, exception, { status: 'credited', postingId, note, resolvedAt: input.now });
}

/** The account credit that it already is, unless it is to go to somebody else. */
async function creditOf(
  tx: Tx,
  { merchantId, postingId }: PaymentException,
  customerId: string | undefined,
): Promise<string | null> {
  if (postingId === null || customerId === undefined) return postingId;
  const posting = (await findPosting(tx, merchantId, postingId))!;
  if (posting.customerId === customerId) return postingId;
  const customer = await findCustomer(tx, { merchantId, id: customerId });
  return customer?.mergedIntoId === posting.customerId ? postingId : null;
}

const WHOSE = {
  merchant: 'must be the id of one of your customers',
  project: 'must be the id of a customer of the project that the money was paid to',
};

async function creditCustomer(
  tx: Tx,
  exception: PaymentException,
  customerId: string | undefined,
  now: Date,
): Promise<string> {
  const { merchantId, baseUnits, intentId } = exception;
  if (customerId === undefined) throw badField('customerId', 'is required');
  const projectId = intentId === null ? null : await findProjectOfIntent(tx, merchantId, intentId);
  if (!(await lockCustomerForUse(tx, { merchantId, id: customerId, ...(projectId && { projectId }) })))
    throw badField('customerId', WHOSE[projectId === null ? 'merchant' : 'project']);
  const deltaCents = baseUnitsToCents(baseUnits);
  if (deltaCents === 0n)
    throw new AppError('INVALID_STATE', { message: 'Less than a cent cannot be credited.' });
  await reverseCredit(tx, exception, 'payment credited to another customer', now);
  const given = { merchantId, customerId, deltaCents, reason: 'payment credited', now };
  return (await post(tx, { ...given, counterAccount: 'adjustment' })).id;
}
