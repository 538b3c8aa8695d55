import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { accessUntil, isPrepaid, type Subscription } from '../../billing/subscriptions/subscription.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { PortalMessages } from './messages/messages.ts';
import { type Asked, isOnItsWay, type SubscriptionDetails } from './subscription-details.ts';
import { named, nextPlanName, type Translator, t } from './translator.ts';

export interface Badge {
  tone: 'good' | 'warn' | 'bad' | '';
  key: keyof PortalMessages['badges'];
}

export function badgeOf({ subscription, asked }: SubscriptionDetails): Badge {
  const { status, cancelAtPeriodEnd, renewalInvoiceId } = subscription;
  if (asked.some((each) => each.kind !== 'change' && isOnItsWay(each))) {
    return { tone: 'warn', key: 'onItsWay' };
  }
  switch (status) {
    case 'trialing':
    case 'active':
      if (cancelAtPeriodEnd) return { tone: 'warn', key: 'ending' };
      if (status === 'trialing') return { tone: 'good', key: 'trial' };
      return renewalInvoiceId ? { tone: 'warn', key: 'renewalDue' } : { tone: 'good', key: 'active' };
    case 'past_due':
      return { tone: 'bad', key: 'pastDue' };
    case 'incomplete':
      return { tone: 'warn', key: 'incomplete' };
    case 'incomplete_expired':
      return { tone: '', key: 'neverBegan' };
    default:
      return { tone: '', key: 'ended' };
  }
}

export function isOver({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** The state of a subscription in sentences. What is due is described where it can be paid. */
export function describeState(translator: Translator, shown: SubscriptionDetails): Html[] {
  const { subscription, nextPlan } = shown;
  const { states } = translator.text;
  const { pendingChange } = presentSubscription(subscription);
  const sentences = [t(...stateSentence(translator, shown))];
  if (pendingChange?.effectiveAt && nextPlan) {
    const parts = { plan: named(nextPlanName(shown)), day: translator.day(pendingChange.effectiveAt) };
    sentences.push(t(states.changeLater, parts));
  }
  return sentences.map((sentence) => html`<p>${sentence}</p>`);
}

function stateSentence(translator: Translator, shown: SubscriptionDetails): Parameters<typeof t> {
  const { subscription, asked } = shown;
  const { states } = translator.text;
  const until = accessUntil(subscription);
  switch (subscription.status) {
    case 'trialing':
    case 'active': {
      if (subscription.cancelAtPeriodEnd) return [states.ending, { moment: translator.moment(until!) }];
      const day = translator.day(until!);
      if (isPrepaid(subscription)) return [states.paidAhead, { day }];
      const isTrial = subscription.status === 'trialing';
      if (asked.length > 0) return [isTrial ? states.freeUntil : states.paidUntil, { day }];
      const next = isTrial ? states.firstPayment : states.nextPayment;
      return [next, { day, amount: translator.usd(shown.nextCents) }];
    }
    case 'past_due':
      return [
        isFirstOverdue(subscription) ? states.freeUntil : states.paidUntil,
        { day: translator.day(subscription.paidThrough!) },
      ];
    case 'incomplete':
      return [states.awaiting];
    case 'incomplete_expired':
      return [states.neverBegan];
    default: {
      const isUnpaid = subscription.cancelReason === 'payment_overdue';
      const day = translator.day(subscription.canceledAt!);
      return [isUnpaid ? states.endedUnpaid : states.ended, { day }];
    }
  }
}

/** Nothing has been paid yet: the trial is over. */
function isFirstOverdue({ trialEndsAt, paidThrough }: Subscription): boolean {
  return trialEndsAt !== null && +trialEndsAt === +paidThrough!;
}

/** Describes what is due, until when, and what happens otherwise; or that it has been paid and is being confirmed. */
export function describeAsked(translator: Translator, shown: SubscriptionDetails, asked: Asked): Html {
  const { states } = translator.text;
  if (isOnItsWay(asked)) return t(states.onItsWay);
  if (asked.payment !== 'underpaid') return whatIsAsked(translator, shown, asked);
  const { amountCents, totalCents } = asked;
  const parts = {
    paid: translator.usd(totalCents - amountCents),
    total: translator.usd(totalCents),
    missing: html`<strong>${translator.usd(amountCents)}</strong>`,
  };
  return html`${t(states.partPaid, parts)} ${whatIsAsked(translator, shown, asked)}`;
}

function whatIsAsked(translator: Translator, shown: SubscriptionDetails, asked: Asked): Html {
  const { states } = translator.text;
  const { subscription } = shown;
  const amount = html`<strong>${translator.usd(asked.amountCents)}</strong>`;
  const day = asked.dueAt && translator.day(asked.dueAt);
  switch (asked.kind) {
    case 'begin':
      return t(states.awaiting);
    case 'renew':
      return t(states.renewalOpen, { amount, day });
    case 'return':
      return t(states.returnOpen, { amount, moment: translator.moment(asked.payableUntil) });
    case 'overdue': {
      const moment = translator.moment(subscription.graceEndsAt!);
      return t(states.pastDue, {
        amount: html`<strong>${translator.usd(asked.totalCents)}</strong>`,
        day,
        moment,
      });
    }
    case 'change': {
      const moment = translator.moment(subscription.pendingChange!.expiresAt);
      return t(states.changeWaits, { plan: named(nextPlanName(shown)), amount, moment });
    }
  }
}
