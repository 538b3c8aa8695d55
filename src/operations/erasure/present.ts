import { Count, Flag, Nullable, OneOf, Shape, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { type Erasure, isStuck, STUCK_MINUTES } from './erasure.ts';

export const ErasureView = Shape('CustomerErasure', {
  customerId: Uuid(),
  projectId: Uuid(),
  status: OneOf(
    ['erasing', 'erased'],
    'The customer is gone in both; `erased`: so is everything that was recorded of them.',
  ),
  isStuck: Flag(
    `Whether nothing has been overwritten for ${STUCK_MINUTES} minutes although it is not finished: the operator has to look.`,
  ),
  done: Count('How many records and events are overwritten.'),
  total: Nullable(Count('Of how many; null: not counted yet.')),
  discardedCredits: Count('Prepaid units that the customer had left.'),
  discardedCents: Count('Account credit that the customer had left.'),
  createdAt: Timestamp('When the customer was deleted.'),
  finishedAt: Nullable(Timestamp()),
});

export function presentErasure(erasure: Erasure) {
  const { customerId, projectId, done, total, createdAt, finishedAt } = erasure;
  return {
    customerId,
    projectId,
    status: finishedAt === null ? 'erasing' : 'erased',
    isStuck: isStuck(erasure, realNow()),
    done,
    total,
    discardedCredits: saturateInt64(erasure.discardedCredits),
    discardedCents: saturateInt64(erasure.discardedCents),
    createdAt,
    finishedAt,
  };
}
