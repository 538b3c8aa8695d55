import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { accessUntil, isPrepaid, type Subscription } from '../../billing/subscriptions/subscription.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { PortalMessages } from './messages/messages.ts';
import { type Asked, isOnItsWay, type SubscriptionDetails } from './subscription-details.ts';
import { named, planName, say, type Translator } from './translator.ts';

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
    case 'active':
      if (cancelAtPeriodEnd) return { tone: 'warn', key: 'ending' };
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

/** How a subscription stands, in sentences. What it asks for is said where it can be paid. */
export function describeState(voice: Translator, shown: SubscriptionDetails): Html[] {
  const { subscription, nextPlan } = shown;
  const { states } = voice.text;
  const { pendingChange } = presentSubscription(subscription);
  const sentences = [say(...stateSentence(voice, shown))];
  if (pendingChange?.effectiveAt && nextPlan) {
    const parts = { plan: named(planName(nextPlan)), day: voice.day(pendingChange.effectiveAt) };
    sentences.push(say(states.changeLater, parts));
  }
  return sentences.map((sentence) => html`<p>${sentence}</p>`);
}

function stateSentence(voice: Translator, shown: SubscriptionDetails): Parameters<typeof say> {
  const { subscription, asked } = shown;
  const { states } = voice.text;
  const until = accessUntil(subscription);
  switch (subscription.status) {
    case 'active': {
      if (subscription.cancelAtPeriodEnd) return [states.ending, { moment: voice.moment(until!) }];
      const day = voice.day(until!);
      if (isPrepaid(subscription)) return [states.paidAhead, { day }];
      if (asked.length > 0) return [states.paidUntil, { day }];
      return [states.nextPayment, { day, amount: voice.usd(nextPrice(shown).unitAmountCents) }];
    }
    case 'past_due':
      return [states.paidUntil, { day: voice.day(subscription.paidThrough!) }];
    case 'incomplete':
      return [states.awaiting];
    case 'incomplete_expired':
      return [states.neverBegan];
    default: {
      const isUnpaid = subscription.cancelReason === 'payment_overdue';
      const day = voice.day(subscription.canceledAt!);
      return [isUnpaid ? states.endedUnpaid : states.ended, { day }];
    }
  }
}

/** What the next period will be billed by. A change that waits for payment is not agreed yet. */
export function nextPrice({ subscription, plan, nextPlan }: SubscriptionDetails) {
  return nextPlan && !subscription.pendingChange ? nextPlan : plan;
}

/** What is asked for, until when, and what happens otherwise; or that it has been paid and needs a moment. */
export function describeAsked(voice: Translator, shown: SubscriptionDetails, asked: Asked): Html {
  const { states } = voice.text;
  if (isOnItsWay(asked)) return say(states.onItsWay);
  if (asked.payment !== 'underpaid') return whatIsAsked(voice, shown, asked);
  const { amountCents, totalCents } = asked;
  const parts = {
    paid: voice.usd(totalCents - amountCents),
    total: voice.usd(totalCents),
    missing: html`<strong>${voice.usd(amountCents)}</strong>`,
  };
  return html`${say(states.partPaid, parts)} ${whatIsAsked(voice, shown, asked)}`;
}

function whatIsAsked(voice: Translator, shown: SubscriptionDetails, asked: Asked): Html {
  const { states } = voice.text;
  const { subscription, nextPlan } = shown;
  const amount = html`<strong>${voice.usd(asked.amountCents)}</strong>`;
  const day = asked.dueAt && voice.day(asked.dueAt);
  switch (asked.kind) {
    case 'begin':
      return say(states.awaiting);
    case 'renew':
      return say(states.renewalOpen, { amount, day });
    case 'return':
      return say(states.returnOpen, { amount, moment: voice.moment(asked.payableUntil) });
    case 'overdue': {
      const moment = voice.moment(subscription.graceEndsAt!);
      return say(states.pastDue, {
        amount: html`<strong>${voice.usd(asked.totalCents)}</strong>`,
        day,
        moment,
      });
    }
    case 'change': {
      const moment = voice.moment(subscription.pendingChange!.expiresAt);
      return say(states.changeWaits, { plan: named(planName(nextPlan!)), amount, moment });
    }
  }
}
