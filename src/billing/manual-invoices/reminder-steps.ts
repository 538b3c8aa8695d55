import { addDays } from '../../platform/lib/clock.ts';
import type { ByHand } from '../invoices/invoice.ts';

/** Reminders of an unpaid invoice; `day` is relative to its due date. */
export const STEPS = [
  { kind: 'upcoming', day: -3 },
  { kind: 'overdue', day: 0 },
  { kind: 'late', day: 1 },
  { kind: 'late', day: 7 },
  { kind: 'late', day: 14 },
] as const;
export type Step = (typeof STEPS)[number];

type Progress = Pick<ByHand, 'nextStepAt' | 'stepsDone'>;

/** The schedule of an invoice that is opened now: what would have been before that is left out. */
export function firstStep(dueAt: Date, now: Date): Progress {
  return progress(STEPS.filter((step) => timeOf(step, dueAt) <= now).length, dueAt);
}

/** The steps that are due by now, and what comes after them. */
export function stepsDue(dueAt: Date, stepsDone: number, now: Date): { steps: Step[]; after: Progress } {
  const steps = STEPS.slice(stepsDone).filter((step) => timeOf(step, dueAt) <= now);
  return { steps, after: progress(stepsDone + steps.length, dueAt) };
}

function progress(stepsDone: number, dueAt: Date): Progress {
  const next = STEPS[stepsDone];
  return { stepsDone, nextStepAt: next ? timeOf(next, dueAt) : null };
}

function timeOf({ day }: Step, dueAt: Date): Date {
  return addDays(dueAt, day);
}
