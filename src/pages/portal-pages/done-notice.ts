import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { accessUntil, isPrepaid, isRunning } from '../../billing/subscriptions/subscription.ts';
import { type Notice, senderOf } from './frame.ts';
import { emailChangeMessages } from './messages/email-change/languages.ts';
import { isOnItsWay, type SubscriptionDetails } from './subscription-details.ts';
import { named, nextPlanName, planName, t } from './translator.ts';
import type { VisitCall } from './visit.ts';

export type Done =
  | 'saved'
  | 'email-sent'
  | 'email-kept'
  | 'cancel'
  | 'keep'
  | 'keep-plan'
  | 'change'
  | 'renew';

/**
 * The result of the last action. The URL only says which action it was; the text comes from the current state, so
 * that a link cannot make the page say something untrue.
 */
export function doneNotice(
  { query, translator, visit }: VisitCall,
  subscriptions: readonly SubscriptionDetails[],
): Notice | undefined {
  const { notices } = translator.text;
  if (query.done === 'saved') return good(t(notices.saved));
  const { sent, withdrawn } = emailChangeMessages[translator.language];
  const { pendingEmail } = visit.customer;
  if (query.done === 'email-sent' && pendingEmail) return good(t(sent, { email: named(pendingEmail.email) }));
  if (query.done === 'email-kept' && !pendingEmail) return good(t(withdrawn));
  const shown = subscriptions.find(({ subscription }) => subscription.id === query.of);
  if (!shown) return undefined;
  const { subscription } = shown;
  switch (query.done) {
    case 'cancel':
      if (subscription.status === 'canceled') return good(t(notices.ended));
      if (!subscription.cancelAtPeriodEnd) return undefined;
      return good(t(notices.canceled, { moment: translator.moment(accessUntil(subscription)!) }));
    case 'keep':
      if (!isRunning(subscription) || subscription.cancelAtPeriodEnd) return undefined;
      return good(t(notices.kept));
    case 'keep-plan':
      if (presentSubscription(subscription).pendingChange) return undefined;
      return good(t(notices.planKept));
    case 'change':
      return changeNotice(translator, shown);
    case 'renew':
      if (!isPrepaid(subscription)) return undefined;
      return good(t(notices.renewed, { day: translator.day(subscription.paidThrough!) }));
    default:
      return undefined;
  }
}

function changeNotice(translator: VisitCall['translator'], shown: SubscriptionDetails) {
  const { subscription, plan, nextPlan, asked } = shown;
  const { notices } = translator.text;
  const { pendingChange } = presentSubscription(subscription);
  if (!pendingChange || !nextPlan) return good(t(notices.changed, { plan: named(planName(plan)) }));
  const parts = { plan: named(nextPlanName(shown)) };
  if (pendingChange.effectiveAt) {
    return good(t(notices.changesLater, { ...parts, day: translator.day(pendingChange.effectiveAt) }));
  }
  const change = asked.find(({ kind }) => kind === 'change');
  if (change && isOnItsWay(change)) return good(t(translator.text.states.onItsWay));
  const amount = translator.usd(change?.amountCents ?? pendingChange.amountDueCents);
  return { tone: 'warn' as const, text: t(notices.changeWaits, { ...parts, amount }) };
}

export function refusedNotice({ translator, visit }: VisitCall): Notice {
  return { tone: 'bad', text: t(translator.text.notices.refused, { merchant: named(senderOf(visit)) }) };
}

export function tooOftenNotice({ translator, visit }: VisitCall): Notice {
  return { tone: 'bad', text: t(translator.text.notices.tooOften, { merchant: named(senderOf(visit)) }) };
}

function good(text: Notice['text']): Notice {
  return { tone: 'good', text };
}
