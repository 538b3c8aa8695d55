import { changeExpectedAmount } from '../../intents/change-expected-amount.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { repriceInvoice } from '../invoices/change-invoice.ts';
import { amountOfLines } from '../invoices/invoice.ts';
import { changeSession, orderingKeyOf } from './change-session.ts';
import type { LockedSession } from './close-session.ts';
import type { Session } from './session.ts';
import { withoutTip, withTip } from './tip.ts';

/** Gives a locked session another tip: in its lines, its invoice, and what its payment expects. */
export async function changeTip(
  tx: Tx,
  { intent, session: before, invoice }: LockedSession,
  tipCents: Cents,
  now: Date,
): Promise<Session> {
  const lines = withTip(withoutTip(before, invoice.lines), tipCents);
  const amountCents = amountOfLines(lines) - invoice.creditAppliedCents;
  const after: Session = { ...before, lines, tipCents, amountCents };
  const orderingKey = orderingKeyOf(before);
  const repriced = await repriceInvoice(tx, {
    ...{ before: invoice, after: { ...invoice, lines }, orderingKey, now },
  });
  await changeExpectedAmount(tx, intent, amountCents);
  const event = await changeSession(tx, {
    ...{ before, after, txSignature: null },
    event: 'checkout.session.updated',
  });
  await appendEvents(tx, [...repriced, event], now);
  return after;
}
