import type { Tx } from '../db/database.ts';
import { AppError, badField } from '../lib/errors.ts';
import { takeTerminal } from '../terminals/take-terminal.ts';
import { whenReplaced } from './intent.ts';
import { moveIntents } from './move-intents.ts';
import { lockNewestOnTerminal } from './queries.ts';

/**
 * Makes a terminal ready for a new intent: an older one that nobody paid toward is canceled, one with money
 * under way keeps the terminal busy. The terminal stays locked for the rest of the transaction.
 */
export async function clearTerminal(
  tx: Tx,
  merchantId: string,
  terminalId: string,
  now: Date,
): Promise<void> {
  const terminal = await takeTerminal(tx, merchantId, terminalId);
  if (!terminal) throw badField('terminalId', 'does not name one of your terminals');
  if (!terminal.isActive) throw new AppError('TERMINAL_INACTIVE');
  const current = await lockNewestOnTerminal(tx, merchantId, terminalId);
  if (!current) return;
  const next = whenReplaced(current, now);
  if (next === 'busy') throw new AppError('TERMINAL_BUSY');
  if (next === 'cancel') await moveIntents(tx, [current], 'canceled', now);
}
