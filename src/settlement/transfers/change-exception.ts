import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { findLastSequence } from '../../platform/events/queries.ts';
import type { PaymentException } from './exception.ts';
import { insertException, updateException } from './exception-queries.ts';
import { presentException } from './present.ts';

export type ExceptionEvent = 'exception.created' | 'exception.resolved';

/**
 * Lists money for a person's review and announces it; once, however often its transaction is processed. Dust is
 * listed without a word: anyone can send it, in any number.
 */
export async function storeNewException(tx: Tx, exception: PaymentException): Promise<void> {
  const isNew = await insertException(tx, exception);
  if (isNew && exception.status === 'open')
    await announce(tx, 'exception.created', exception, null, exception.createdAt);
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
