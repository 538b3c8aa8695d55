import { laneOf, lockSessionOfIntent } from '../checkout-sessions/change-session.ts';
import type { Session } from '../checkout-sessions/session.ts';
import type { Database, Tx } from '../db/database.ts';
import { hasPendingCredit } from '../intents/has-pending-credit.ts';
import { lockOneIntent } from '../intents/lock-intents.ts';
import { lockInvoiceOfSession, storeInvoiceQuietly } from '../invoices/change-invoice.ts';
import { DAY_MS } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { type BaseUnits, baseUnitsToCents } from '../lib/money.ts';
import { PAYABLE_DAYS_AFTER_EXPIRY } from '../solana/watched-account.ts';
import { asListed } from './exception.ts';
import { insertException } from './exception-queries.ts';
import { postStray } from './post-stray.ts';
import {
  type DueSession,
  listFinalCredits,
  listLeftOver,
  listStraySignatures,
  updateStrayAt,
} from './session-queries.ts';

const SLICE = 200;

/**
 * A part payment whose rest never came, 30 days after the deadline, and money for what was closed meanwhile: it
 * becomes the customer's account credit, once, and is listed for a person to look at. Answers how many sessions that was.
 */
export async function postLeftOver(db: Database, mint: string, now: Date): Promise<number> {
  const lastDay = new Date(now.getTime() - PAYABLE_DAYS_AFTER_EXPIRY * DAY_MS);
  let posted = 0;
  for (;;) {
    const due = await listLeftOver(db, lastDay, SLICE);
    let moved = 0;
    for (const session of due) {
      if (await db.transaction((tx) => postOne(tx, session, mint, now))) moved++;
    }
    posted += moved;
    if (due.length < SLICE || moved === 0) return posted;
  }
}

async function postOne(
  tx: Tx,
  { merchantId, sessionId, intentId }: DueSession,
  mint: string,
  now: Date,
): Promise<boolean> {
  await lockOneIntent(tx, { merchantId, id: intentId });
  const session = (await lockSessionOfIntent(tx, merchantId, intentId))!;
  if (session.status !== 'expired' && session.status !== 'canceled') return false;
  if (await hasPendingCredit(tx, { merchantId, id: intentId })) return false;
  if (!(await updateStrayAt(tx, merchantId, sessionId, now))) return false;
  await listParts(tx, session, mint, now);
  await takeFromInvoice(tx, session);
  return true;
}

/** One exception for each transaction that brought a part; the cents are floored once, over all of them. */
async function listParts(tx: Tx, session: Session, mint: string, now: Date): Promise<void> {
  const { merchantId, paymentIntentId: intentId } = session;
  const listed = await listStraySignatures(tx, merchantId, intentId);
  let sum: BaseUnits = 0n;
  for (const { signature, destination, baseUnits } of await listFinalCredits(tx, merchantId, intentId)) {
    const cents = baseUnitsToCents(sum + baseUnits) - baseUnitsToCents(sum);
    sum += baseUnits;
    if (listed.includes(signature)) continue;
    const posting = await postStray(tx, { session, cents, lane: laneOf(session), now });
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
    await insertException(tx, part);
  }
}

/** What is listed, and where there is a customer their credit, is no longer the invoice's. */
async function takeFromInvoice(tx: Tx, { merchantId, id }: Session): Promise<void> {
  const invoice = (await lockInvoiceOfSession(tx, merchantId, id))!;
  await storeInvoiceQuietly(tx, { ...invoice, amountPaidCents: 0n });
}
