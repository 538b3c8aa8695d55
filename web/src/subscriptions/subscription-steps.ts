import type { Subscription } from '@florin/sdk';
import type { Step } from '../parts/timeline.tsx';
import { t } from '../words/t.ts';
import { isRunning } from './subscription-columns.tsx';

/** Returns the events of a subscription in their order, and then what follows. */
export function stepsOf(subscription: Subscription): Step[] {
  const { createdAt, trialEndsAt, currentPeriodStart, canceledAt, status } = subscription;
  const past: Step[] = [{ at: createdAt, title: t('Created') }];
  if (trialEndsAt && status !== 'trialing') past.push({ at: trialEndsAt, title: t('Trial ended') });
  // The first period begins with the payment that created it.
  if (currentPeriodStart && status !== 'trialing' && currentPeriodStart > createdAt)
    past.push({ at: currentPeriodStart, title: t('Current period started') });
  if (canceledAt) past.push({ at: canceledAt, title: t('Canceled'), text: whyText(subscription) });
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  return [...past, ...ahead(subscription)];
}

function ahead(subscription: Subscription): Step[] {
  const { currentPeriodEnd, cancelAtPeriodEnd, accessUntil, graceEndsAt, trialEndsAt, status } = subscription;
  const isAhead = true;
  if (status === 'incomplete') return [{ isAhead, title: t('Waiting for the first payment') }];
  if (status === 'past_due')
    return [
      { isAhead, title: t('Ends unless the renewal is paid'), ...(graceEndsAt && { at: graceEndsAt }) },
    ];
  if (!isRunning(subscription)) return [];
  if (cancelAtPeriodEnd) return [{ isAhead, title: t('Ends'), ...(accessUntil && { at: accessUntil }) }];
  const next = status === 'trialing' ? trialEndsAt : currentPeriodEnd;
  return [
    { isAhead, title: status === 'trialing' ? t('Trial ends') : t('Renews'), ...(next && { at: next }) },
  ];
}

function whyText({ cancelReason }: Subscription): string | undefined {
  if (cancelReason === null) return undefined;
  return cancelReason === 'requested' ? t('Canceled on request') : t('Renewal not paid');
}
