import { changeTerminal } from '../../accounts/terminals/change-terminal.ts';
import { lockTerminal } from '../../accounts/terminals/queries.ts';
import { cancelSession } from '../../billing/checkout-sessions/cancel-session.ts';
import { isUnseen } from '../../intents/intent.ts';
import { hasPaymentUnderWay, lockIntent } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PairedTill } from '../tills/till.ts';
import { findSaleAt } from './queries.ts';

/**
 * Makes room for the next sale: one that nobody has paid toward is canceled, and one that was paid in part is left, so that
 * a cent cannot close a counter. It stays payable until its time is over. A payment that is on its way keeps the terminal
 * busy, and so does what a program shows there.
 */
export async function freeTerminal(tx: Tx, { merchantId, terminalId }: PairedTill, now: Date): Promise<void> {
  const terminal = (await lockTerminal(tx, merchantId, terminalId))!;
  const id = terminal.currentIntentId;
  const sale = id === null ? undefined : await findSaleAt(tx, merchantId, id);
  if (!sale) return;
  const intent = (await lockIntent(tx, { merchantId, id: sale.intentId }))!;
  if (await hasPaymentUnderWay(tx, intent)) return;
  if (intent.status === 'underpaid') await changeTerminal(tx, terminal, { currentIntentId: null });
  if (isUnseen(intent) && sale.sessionId !== null)
    await cancelSession(tx, { merchantId, id: sale.sessionId }, now);
}
