import { findWatched } from '../../chain/solana/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { readSharedTime } from '../../platform/db/installation.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { orderingKeyOf } from '../checkout-sessions/change-session.ts';
import type { LockedSession } from '../checkout-sessions/close-session.ts';
import { lockWholeSession } from '../checkout-sessions/lock-session.ts';
import { findIntentOfInvoice } from '../checkout-sessions/queries.ts';
import { changeInvoice } from '../invoices/change-invoice.ts';
import { listDueSteps, REMINDERS } from '../invoices/draft-queries.ts';
import { emailCustomer } from '../invoices/email-customer.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { storeSteps } from '../invoices/store-draft.ts';
import { STEPS, type Step, stepsDue } from './reminder-steps.ts';

const SLICE = 200;

/** Time by which a step is postponed that has to wait for the chain to be read. */
const REST_MS = 15_000;

/**
 * Runs every step of unpaid invoices that is due, and returns how many invoices had one. Each runs in its own transaction
 * and re-reads what is stored, so any number of workers share the work and no reminder is sent twice.
 */
export function runDueReminders(db: Database, now: Date, log?: Logger): Promise<number> {
  return eachAlone({ db, log }, REMINDERS, now, async (alone) => {
    let reminded = 0;
    for (;;) {
      const failed = alone.failures();
      const due = await listDueSteps(db, now, SLICE);
      let moved = 0;
      for (const ref of due)
        if (await alone(ref, () => db.transaction((tx) => remind(tx, ref, now)))) moved++;
      reminded += moved;
      if (due.length < SLICE || (moved === 0 && alone.failures() === failed)) return reminded;
    }
  });
}

async function remind(tx: Tx, ref: Ref, now: Date): Promise<boolean> {
  const intentId = await findIntentOfInvoice(tx, ref.merchantId, ref.id);
  const locked = await lockWholeSession(tx, ref.merchantId, intentId!);
  const { invoice } = locked;
  if (invoice.nextStepAt === null || invoice.nextStepAt > now) return false;
  const { steps, after } = stepsDue(invoice.dueAt!, invoice.stepsDone, now);
  if (await isUndecided(tx, locked, now)) return rest(tx, invoice, now);
  await storeSteps(tx, { ...invoice, ...after });
  const last = steps.at(-1);
  if (!last) return false;
  // Its part payment is being refunded, or was: it can no longer be paid, so no reminder.
  if (locked.intent.isRefunding) return false;
  const reminded = await announce(tx, locked, steps, now);
  await emailOnce(tx, { ...reminded, ...after }, last);
  return true;
}

/** A payment is on its way, or the chain has not been read past the due date: it may be paid in time. */
async function isUndecided(tx: Tx, { intent, invoice }: LockedSession, now: Date): Promise<boolean> {
  if (intent.status === 'processing') return true;
  if (now < invoice.dueAt!) return false;
  const readThrough = (await findWatched(tx, intent.destinationAddress))?.readThrough;
  return !readThrough || readThrough < invoice.dueAt!;
}

/**
 * Announces steps. After a pause several are due at once: a due date that has passed is announced; one that was near
 * is not.
 */
async function announce(
  tx: Tx,
  { invoice, session }: LockedSession,
  steps: readonly Step[],
  now: Date,
): Promise<Invoice> {
  const event = steps.some(({ kind }) => kind === 'overdue')
    ? 'invoice.overdue'
    : steps.some(({ kind }) => kind === 'upcoming')
      ? 'invoice.upcoming'
      : undefined;
  if (!event) return invoice;
  const orderingKey = orderingKeyOf(session);
  await appendEvents(
    tx,
    [await changeInvoice(tx, { before: invoice, after: invoice, event, orderingKey, now })],
    now,
  );
  return { ...invoice, sequence: invoice.sequence + 1 };
}

/** Only customers who got the invoice from us are reminded by us, once of each step. */
async function emailOnce(tx: Tx, invoice: Invoice, { kind, day }: Step): Promise<void> {
  if (invoice.sentAt === null || kind === 'overdue') return;
  await emailCustomer(tx, invoice, {
    kind: kind === 'upcoming' ? 'invoice_reminder' : 'invoice_overdue',
    number: STEPS.findIndex((step) => step.day === day) + 1,
    payUrl: invoice.checkoutUrl,
  });
}

/** Postpones a step by the database's clock, because a host whose clock is ahead would postpone it for everyone. */
async function rest(tx: Tx, invoice: Invoice, now: Date): Promise<false> {
  const shared = (await readSharedTime(tx)) ?? now;
  const from = Math.min(now.getTime(), shared.getTime());
  await storeSteps(tx, { ...invoice, nextStepAt: new Date(from + REST_MS) });
  return false;
}
