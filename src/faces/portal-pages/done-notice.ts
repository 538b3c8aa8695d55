import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { accessUntil, isPrepaid } from '../../billing/subscriptions/subscription.ts';
import { type Notice, senderOf } from './frame.ts';
import { isOnItsWay, type SubscriptionDetails } from './subscription-details.ts';
import { named, planName, say } from './translator.ts';
import type { VisitCall } from './visit.ts';

export type Done = 'saved' | 'cancel' | 'keep' | 'keep-plan' | 'change' | 'renew';

/**
 * What became of what was just done. The address says only what that was; the words come from how things stand, so
 * nobody can be sent here to read something untrue.
 */
export function doneNotice(
  { query, voice }: VisitCall,
  subscriptions: readonly SubscriptionDetails[],
): Notice | undefined {
  const { notices } = voice.text;
  if (query.done === 'saved') return good(say(notices.saved));
  const shown = subscriptions.find(({ subscription }) => subscription.id === query.of);
  if (!shown) return undefined;
  const { subscription } = shown;
  switch (query.done) {
    case 'cancel':
      if (subscription.status === 'canceled') return good(say(notices.ended));
      if (!subscription.cancelAtPeriodEnd) return undefined;
      return good(say(notices.canceled, { moment: voice.moment(accessUntil(subscription)!) }));
    case 'keep':
      if (subscription.status !== 'active' || subscription.cancelAtPeriodEnd) return undefined;
      return good(say(notices.kept));
    case 'keep-plan':
      if (presentSubscription(subscription).pendingChange) return undefined;
      return good(say(notices.planKept));
    case 'change':
      return changeNotice(voice, shown);
    case 'renew':
      if (!isPrepaid(subscription)) return undefined;
      return good(say(notices.renewed, { day: voice.day(subscription.paidThrough!) }));
    default:
      return undefined;
  }
}

function changeNotice(
  voice: VisitCall['voice'],
  { subscription, plan, nextPlan, asked }: SubscriptionDetails,
) {
  const { notices } = voice.text;
  const { pendingChange } = presentSubscription(subscription);
  if (!pendingChange || !nextPlan) return good(say(notices.changed, { plan: named(planName(plan)) }));
  const parts = { plan: named(planName(nextPlan)) };
  if (pendingChange.effectiveAt) {
    return good(say(notices.changesLater, { ...parts, day: voice.day(pendingChange.effectiveAt) }));
  }
  const change = asked.find(({ kind }) => kind === 'change');
  if (change && isOnItsWay(change)) return good(say(voice.text.states.onItsWay));
  const amount = voice.usd(change?.amountCents ?? pendingChange.amountDueCents);
  return { tone: 'warn' as const, text: say(notices.changeWaits, { ...parts, amount }) };
}

export function refusedNotice({ voice, visit }: VisitCall): Notice {
  return { tone: 'bad', text: say(voice.text.notices.refused, { merchant: named(senderOf(visit)) }) };
}

function good(text: Notice['text']): Notice {
  return { tone: 'good', text };
}
