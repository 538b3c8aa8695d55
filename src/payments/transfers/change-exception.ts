import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { findLastSequence } from '../../platform/events/queries.ts';
import { type PaymentException, paymentExceptions } from './exception.ts';
import { updateException } from './exception-queries.ts';
import { presentException } from './present.ts';

export type ExceptionEvent = 'exception.created' | 'exception.resolved' | 'exception.reopened';

/**
 * Lists money for a person's review and announces it; once, however often its transaction is processed. Dust is
 * listed without a word: anyone can send it, in any number.
 */
export async function storeNewException(tx: Tx, exception: PaymentException): Promise<void> {
  const added = await paymentExceptions.insert(tx, exception, 'on conflict do nothing returning id');
  if (added.length > 0 && exception.status === 'open')
    await announce(tx, 'exception.created', exception, null, exception.createdAt);
}

/** Names the order on an exception: the order is known, but can no longer be paid. */
export function nameOrderOf(
  tx: Tx,
  { merchantId, exceptionId, id }: { merchantId: string; exceptionId: string; id: string },
): Promise<void> {
  return paymentExceptions.update(tx, { merchantId, id: exceptionId }, { intentId: id });
}

/** Stores how a locked exception ended, and announces it. */
export async function endException(
  tx: Tx,
  before: PaymentException,
  after: PaymentException,
  now: Date,
): Promise<void> {
  await updateException(tx, after);
  await announce(tx, 'exception.resolved', after, before.status, now);
}

/** Stores that a locked exception is open again, and announces it. */
export async function reopenException(
  tx: Tx,
  before: PaymentException,
  after: PaymentException,
  now: Date,
): Promise<void> {
  await updateException(tx, after);
  await announce(tx, 'exception.reopened', after, before.status, now);
}

async function announce(
  tx: Tx,
  event: ExceptionEvent,
  exception: PaymentException,
  previousStatus: string | null,
  now: Date,
): Promise<void> {
  const { merchantId, id, status, signature } = exception;
  // One that was listed by an earlier release has no event yet.
  const sequence = (await findLastSequence(tx, merchantId, id)) + 1;
  const data = {
    status,
    previousStatus,
    txSignature: signature,
    exception: presentException(exception),
  };
  const object = { objectType: 'exception', objectId: id, orderingKey: id, sequence };
  await appendEvents(tx, [{ merchantId, event, ...object, status, previousStatus, data }], now);
}
