import type { Project } from '../../accounts/projects/project.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { nextStep } from '../subscriptions/timeline.ts';

/** The subscription with the time of its next step, which is where the scheduler finds it. */
export function scheduled(
  subscription: Subscription,
  { settings }: Project,
  renewalOpenedAt: Date | null,
): Subscription {
  return { ...subscription, nextStepAt: nextStep(subscription, settings, renewalOpenedAt)?.at ?? null };
}
