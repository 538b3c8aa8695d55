import { changeTerminal } from '../accounts/terminals/change-terminal.ts';
import { lockTerminal } from '../accounts/terminals/queries.ts';
import type { Tx } from '../platform/db/database.ts';
import { AppError, badField } from '../platform/lib/errors.ts';
import { type Intent, whenReplaced } from './intent.ts';
import { moveIntents } from './move-intents.ts';
import { WAIT_SECONDS } from './payment-in-progress.ts';
import { hasPaymentUnderWay, lockIntent } from './queries.ts';
import { storeNewIntents } from './store-new-intents.ts';

/**
 * Writes an intent and shows it on its terminal: an older one that nobody paid toward is canceled; one with money on
 * its way keeps the terminal busy. The terminal stays locked for the rest of the transaction.
 */
export async function showOnTerminal(tx: Tx, intent: Intent, terminalId: string, now: Date): Promise<void> {
  const { merchantId } = intent;
  const terminal = await lockTerminal(tx, merchantId, terminalId);
  if (!terminal) throw badField('terminalId', 'must be the id of one of your terminals');
  if (!terminal.isActive) throw new AppError('TERMINAL_INACTIVE');
  const current =
    terminal.currentIntentId && (await lockIntent(tx, { merchantId, id: terminal.currentIntentId }));
  if (current) {
    const next = whenReplaced(current, now);
    if (next === 'busy') throw terminalBusy();
    // A confirmed partial payment does not change the status, but is money nevertheless.
    if (next === 'cancel' && (await hasPaymentUnderWay(tx, current))) throw terminalBusy();
    // A till's sale ends with its session, which is not ours to end: it is no longer shown, and can still be paid.
    if (next === 'cancel' && current.sessionOrderingKey === null)
      await moveIntents(tx, [current], 'canceled', now);
  }
  await storeNewIntents(tx, [intent]);
  await changeTerminal(tx, terminal, { currentIntentId: intent.id });
}

function terminalBusy(): AppError {
  return new AppError('TERMINAL_BUSY', { retryAfterSeconds: WAIT_SECONDS });
}
