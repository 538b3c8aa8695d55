import { orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import { markUnapplied } from '../../billing/checkout-sessions/mark-unapplied.ts';
import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { adjustInvoice } from '../../billing/invoices/change-invoice.ts';
import { lockInvoiceOfSession } from '../../billing/invoices/queries.ts';
import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import { hasPendingAllocation, lockIntent } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { type BaseUnits, baseUnitsToCents } from '../../platform/lib/money.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { storeNewException } from './change-exception.ts';
import { asListed } from './exception.ts';
import { postUnapplied } from './post-unapplied.ts';
import {
  type DueSession,
  hasRefund,
  listFinalAllocations,
  listUnapplied,
  listUnappliedSignatures,
  UNAPPLIED,
} from './session-queries.ts';

const SLICE = 200;

/**
 * A partial payment that was never completed, 30 days after the deadline, and money for what was closed meanwhile: it
 * becomes the customer's account credit, once, and is listed for review. Returns how many sessions that were.
 */
export function postUnappliedParts(db: Database, mint: string, now: Date, log?: Logger): Promise<number> {
  const lastDay = addDays(now, -PAYABLE_DAYS_AFTER_EXPIRY);
  return eachAlone({ db, log }, UNAPPLIED, now, async (alone) => {
    let posted = 0;
    for (;;) {
      const failed = alone.failures();
      const due = await listUnapplied(db, { lastDay, now }, SLICE);
      let moved = 0;
      for (const session of due) {
        const item = { merchantId: session.merchantId, id: session.sessionId };
        if (await alone(item, () => db.transaction((tx) => postOne(tx, session, mint, now)))) moved++;
      }
      posted += moved;
      if (due.length < SLICE || (moved === 0 && alone.failures() === failed)) return posted;
    }
  });
}

async function postOne(
  tx: Tx,
  { merchantId, sessionId, intentId }: DueSession,
  mint: string,
  now: Date,
): Promise<boolean> {
  await lockIntent(tx, { merchantId, id: intentId });
  const session = (await lockSessionOfIntent(tx, merchantId, intentId))!;
  if (session.status !== 'expired' && session.status !== 'canceled') return false;
  if (await hasPendingAllocation(tx, { merchantId, id: intentId })) return false;
  if (await hasRefund(tx, merchantId, sessionId)) return false;
  if (!(await markUnapplied(tx, merchantId, sessionId, now))) return false;
  await listParts(tx, session, mint, now);
  await removeFromInvoice(tx, session, now);
  return true;
}

/** One exception for each transaction that brought a part; the cents are floored once, over all of them. */
async function listParts(tx: Tx, session: Session, mint: string, now: Date): Promise<void> {
  const { merchantId, paymentIntentId: intentId } = session;
  const listed = await listUnappliedSignatures(tx, merchantId, intentId);
  let sum: BaseUnits = 0n;
  for (const { signature, destination, baseUnits } of await listFinalAllocations(tx, merchantId, intentId)) {
    const cents = baseUnitsToCents(sum + baseUnits) - baseUnitsToCents(sum);
    sum += baseUnits;
    if (listed.includes(signature)) continue;
    const posting = await postUnapplied(tx, { session, cents, orderingKey: orderingKeyOf(session), now });
    const part = asListed({
      id: newId(now),
      merchantId,
      kind: 'stray',
      signature,
      destination,
      mint,
      baseUnits,
      intentId,
      postingId: posting?.id ?? null,
      createdAt: now,
    });
    await storeNewException(tx, part);
  }
}

/** Removes from the invoice what is now listed as unapplied, or is account credit of a customer. */
async function removeFromInvoice(tx: Tx, session: Session, now: Date): Promise<void> {
  const before = (await lockInvoiceOfSession(tx, session.merchantId, session.id))!;
  if (before.amountPaidCents === 0n) return;
  const after = { ...before, amountPaidCents: 0n };
  const orderingKey = orderingKeyOf(session);
  await appendEvents(tx, await adjustInvoice(tx, { before, after, orderingKey, now }), now);
}
