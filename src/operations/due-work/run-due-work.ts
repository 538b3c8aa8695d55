import { applyDueChanges } from '../../accounts/payout-changes/apply-due-changes.ts';
import { releaseHeldRedemptions } from '../../billing/discounts/redeem.ts';
import { runDueReminders } from '../../billing/manual-invoices/run-due-reminders.ts';
import { closeDueLinks } from '../../billing/payment-links/close-due-links.ts';
import { type RenewalParts, runDueRenewals } from '../../billing/renewals/run-due-renewals.ts';
import { applyDueEffects } from '../../payments/refunds/apply-effects.ts';
import { expireDueRefunds } from '../../payments/refunds/end-refund.ts';
import { closeArchived } from '../../payments/transfers/close-archived.ts';
import { expireDueIntents } from '../../payments/transfers/expire-due-intents.ts';
import { expireDueSessions } from '../../payments/transfers/expire-due-sessions.ts';
import { postUnappliedParts } from '../../payments/transfers/post-unapplied-parts.ts';
import { sendDueSummaries } from '../../webhooks/send-due-summaries.ts';
import { runDueErasures } from '../erasure/run-due-erasures.ts';

export interface DueWorkParts extends RenewalParts {
  /** The token that counts as money. */
  mint: string;
}

export interface DueWork {
  name: string;
  run(parts: DueWorkParts, now: Date): Promise<unknown>;
}

const postUnapplied: DueWork = {
  name: 'post money that bought nothing',
  run: ({ db, mint, log }, now) => postUnappliedParts(db, mint, now, log),
};

/** Everything that can be due, in the order of one run. Each step is safe to run alone at any time. */
export const dueWork: readonly DueWork[] = [
  { name: 'apply payout changes', run: ({ db, log }, now) => applyDueChanges(db, now, log) },
  { name: 'close payment links', run: ({ db, log }, now) => closeDueLinks(db, now, log) },
  { name: 'close archived projects', run: ({ db, log }, now) => closeArchived(db, now, log) },
  postUnapplied,
  { name: 'renew subscriptions', run: runDueRenewals },
  { name: 'remind of invoices', run: ({ db, log }, now) => runDueReminders(db, now, log) },
  { name: 'return unpaid redemptions', run: ({ db, log }, now) => releaseHeldRedemptions(db, now, log) },
  { name: 'expire intents', run: ({ db, log }, now) => expireDueIntents(db, now, log) },
  { name: 'expire checkout sessions', run: ({ db, log }, now) => expireDueSessions(db, now, log) },
  { name: 'expire refunds', run: ({ db, mint, log }, now) => expireDueRefunds(db, mint, now, log) },
  { name: 'send daily summaries', run: ({ db, log }, now) => sendDueSummaries(db, now, log) },
  { name: 'apply effects of refunds', run: ({ db, log }, now) => applyDueEffects(db, log, now) },
  { name: 'erase customers', run: (parts, now) => runDueErasures(parts, now) },
];

/** Runs all of it once. What the last steps have closed may leave money that bought nothing, so that is posted again. */
export async function runDueWork(parts: DueWorkParts, now: Date, work = dueWork): Promise<void> {
  for (const { run } of work) await run(parts, now);
  await postUnapplied.run(parts, now);
}
