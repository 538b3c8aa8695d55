import { changeTerminal, type TerminalChange } from '../../accounts/terminals/change-terminal.ts';
import { lockTerminal } from '../../accounts/terminals/queries.ts';
import type { Terminal } from '../../accounts/terminals/terminal.ts';
import { closeSession } from '../../billing/checkout-sessions/close-session.ts';
import { lockWholeSession } from '../../billing/checkout-sessions/lock-session.ts';
import { type Intent, isUnseen } from '../../intents/intent.ts';
import { moveIntents } from '../../intents/move-intents.ts';
import { hasPaymentUnderWay, lockIntent } from '../../intents/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';

export interface PatchTerminal {
  merchantId: string;
  terminalId: string;
  actor: string;
  change: TerminalChange;
  now: Date;
}

/** Renames a terminal or switches it on or off; switching off cancels the unpaid intent or sale it shows. */
export async function patchTerminal(tx: Tx, input: PatchTerminal): Promise<Terminal> {
  const { merchantId, terminalId, actor, change, now } = input;
  const terminal = await lockTerminal(tx, merchantId, terminalId);
  if (!terminal) throw new AppError('NOT_FOUND');
  const changed = await changeTerminal(tx, terminal, change);
  if (terminal.isActive && !changed.isActive) {
    const id = terminal.currentIntentId;
    const current = id === null ? undefined : await lockIntent(tx, { merchantId, id });
    const isUnpaid = current && isUnseen(current) && !(await hasPaymentUnderWay(tx, current));
    if (isUnpaid) await endUnpaid(tx, current, now);
  }
  const before = { name: terminal.name, isActive: terminal.isActive };
  const after = { name: changed.name, isActive: changed.isActive };
  if (before.name !== after.name || before.isActive !== after.isActive) {
    await recordAudit(tx, {
      merchantId,
      actor,
      action: 'terminal.changed',
      targetId: terminalId,
      detail: { before, after },
      now,
    });
  }
  return changed;
}

async function endUnpaid(tx: Tx, intent: Intent, now: Date): Promise<void> {
  if (intent.sessionOrderingKey === null) {
    await moveIntents(tx, [intent], 'canceled', now);
    return;
  }
  const { events } = await closeSession(tx, await lockWholeSession(tx, intent.merchantId, intent.id), now);
  await appendEvents(tx, events, now);
}
