import { applyDueChanges } from '../../accounts/payout-changes/apply-due-changes.ts';
import { runDueReminders } from '../../billing/manual-invoices/run-due-reminders.ts';
import { closeDueLinks } from '../../billing/payment-links/close-due-links.ts';
import { type RenewalParts, runDueRenewals } from '../../billing/renewals/run-due-renewals.ts';
import { sendDueSummaries } from '../../money/webhooks/send-due-summaries.ts';
import { runDueErasures } from '../erasure/run-due-erasures.ts';
import { applyDueEffects } from '../refunds/apply-effects.ts';
import { expireDueRefunds } from '../refunds/end-refund.ts';
import { expireDueIntents } from '../transfers/expire-due-intents.ts';
import { expireDueSessions } from '../transfers/expire-due-sessions.ts';
import { postUnappliedParts } from '../transfers/post-unapplied-parts.ts';

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
  run: ({ db, mint }, now) => postUnappliedParts(db, mint, now),
};

/** Everything that can be due, in the order of one run. Each step is safe to run alone at any time. */
export const dueWork: readonly DueWork[] = [
  { name: 'apply payout changes', run: ({ db }, now) => applyDueChanges(db, now) },
  { name: 'close payment links', run: ({ db }, now) => closeDueLinks(db, now) },
  postUnapplied,
  { name: 'renew subscriptions', run: runDueRenewals },
  { name: 'remind of invoices', run: ({ db }, now) => runDueReminders(db, now) },
  { name: 'expire intents', run: ({ db }, now) => expireDueIntents(db, now) },
  { name: 'expire checkout sessions', run: ({ db }, now) => expireDueSessions(db, now) },
  { name: 'expire refunds', run: ({ db, mint }, now) => expireDueRefunds(db, mint, now) },
  { name: 'send daily summaries', run: ({ db }, now) => sendDueSummaries(db, now) },
  { name: 'apply effects of refunds', run: ({ db, log }, now) => applyDueEffects(db, log, now) },
  { name: 'erase customers', run: (parts, now) => runDueErasures(parts, now) },
];

/** Runs all of it once. What the last steps have closed may leave money that bought nothing, so that is posted again. */
export async function runDueWork(parts: DueWorkParts, now: Date, work = dueWork): Promise<void> {
  for (const { run } of work) await run(parts, now);
  await postUnapplied.run(parts, now);
}
