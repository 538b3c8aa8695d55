import type { PlanMessages } from './messages.ts';

export const en: PlanMessages = {
  language: 'en',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Your plan has changed',
      paragraphs: [`Your subscription at ${sender} is now ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Your plan will change',
      paragraphs: [
        `Your subscription at ${sender} changes to ${plan} on ${at}. Until then, nothing changes.`,
      ],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Confirm your new plan',
      paragraphs: [
        `Your subscription at ${sender} changes to ${plan} once you pay ${due}. The offer ends on ${at}.`,
        'If you don’t pay, you keep your current plan.',
      ],
      action: 'Pay and change',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Your plan stays as it is',
      paragraphs: [`The change of your subscription at ${sender} was withdrawn. You stay on ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Your subscription is canceled',
      paragraphs: [
        `Your subscription to ${plan} at ${sender} ends on ${at}. You keep your access until then.`,
        'You won’t be asked to pay again.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Your subscription has ended',
      paragraphs: [
        `Your subscription to ${plan} at ${sender} ended on ${at}.`,
        'You won’t be asked to pay again.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Your subscription continues',
      paragraphs: [
        `Your subscription to ${plan} at ${sender} is no longer canceled. It renews on ${at}.`,
        'We never charge your wallet automatically: you confirm each payment.',
      ],
    }),
  },
};
