import type { ProjectSettings } from '../../accounts/projects/project.ts';
import { addDays, DAY_MS } from '../../platform/lib/clock.ts';
import type { Period } from './period.ts';
import { isPrepaid, isRunning, type Subscription } from './subscription.ts';

type Settings = Pick<ProjectSettings, 'gracePeriodDays' | 'renewalLeadDays' | 'reminderDays'>;

export type StepKind = 'open' | 'remind' | 'overdue' | 'renew' | 'end';

export interface Step {
  kind: StepKind;
  at: Date;
}

/**
 * Returns the time before the end of a period at which its renewal is requested: never more than a quarter of the
 * period.
 */
export function leadMs(settings: Settings, period: Period): number {
  return Math.min(settings.renewalLeadDays * DAY_MS, lengthMs(period) / 4);
}

/** Returns the time for which an unpaid renewal keeps its access: never more than half of the period. */
export function graceMs(settings: Settings, period: Period): number {
  return Math.min(settings.gracePeriodDays * DAY_MS, lengthMs(period) / 2);
}

/** A customer who gets the invoice late, because we were late, still has the full time to pay it. */
export function graceEndsAt(settings: Settings, period: Period, openedAt: Date): Date {
  const asked = openedAt.getTime() + leadMs(settings, period);
  return new Date(Math.max(period.end.getTime(), asked) + graceMs(settings, period));
}

/**
 * Finds the next step that time alone brings to a subscription, and when. Derived from stored dates only: a week
 * without a scheduler is caught up exactly, in the same order. An unpaid renewal's last day is handled by its
 * session.
 */
export function nextStep(
  subscription: Subscription,
  settings: Settings,
  renewalOpenedAt: Date | null,
): Step | null {
  if (!isRunning(subscription)) return null;
  const end = subscription.currentPeriodEnd!;
  if (isPrepaid(subscription)) return { kind: 'renew', at: end };
  if (subscription.cancelAtPeriodEnd) return { kind: 'end', at: end };
  if (!renewalOpenedAt) {
    const period = { start: subscription.currentPeriodStart!, end };
    return { kind: 'open', at: new Date(end.getTime() - leadMs(settings, period)) };
  }
  const reminder = reminderTimes(settings, end, renewalOpenedAt)[subscription.remindersSent];
  return reminder ? { kind: 'remind', at: reminder } : { kind: 'overdue', at: end };
}

/** Days before the end that lie after the invoice was opened, the earliest first. */
export function reminderTimes({ reminderDays }: Settings, end: Date, openedAt: Date): Date[] {
  return [...new Set(reminderDays)]
    .sort((a, b) => b - a)
    .map((days) => addDays(end, -days))
    .filter((at) => at > openedAt && at < end);
}

/**
 * Counts the reminders that are over at `now`: after a pause the customer gets one, not one for every day that
 * passed.
 */
export function remindersOver(settings: Settings, end: Date, openedAt: Date, now: Date): number {
  return reminderTimes(settings, end, openedAt).filter((at) => at <= now).length;
}

function lengthMs({ start, end }: Period): number {
  return end.getTime() - start.getTime();
}
