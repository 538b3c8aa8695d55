import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/lib/errors.ts';
import { inState } from '../platform/lib/in-state.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { type Intent, isUnseen } from './intent.ts';
import { moveIntents } from './move-intents.ts';
import { paymentInProgress } from './payment-in-progress.ts';
import { hasPaymentUnderWay, lockIntent } from './queries.ts';

/** Cancels an intent that nobody has paid toward. Once money was seen, it can no longer be canceled. */
export async function cancelIntent(tx: Tx, ref: Ref, now: Date): Promise<Intent> {
  const intent = await lockIntent(tx, ref);
  if (!intent) throw new AppError('NOT_FOUND');
  if (intent.sessionOrderingKey !== null) {
    throw new AppError('INVALID_STATE', {
      message: 'This intent belongs to a checkout session; cancel the session instead.',
    });
  }
  if (!isUnseen(intent)) {
    throw new AppError('INVALID_STATE', {
      message: `${inState(intent.status, 'intent')} cannot be canceled.`,
    });
  }
  if (await hasPaymentUnderWay(tx, intent)) {
    throw paymentInProgress('A payment for this intent is in progress.');
  }
  const [canceled] = await moveIntents(tx, [intent], 'canceled', now);
  return canceled!;
}
