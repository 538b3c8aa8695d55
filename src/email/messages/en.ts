import type { FormattedFacts, Messages } from './messages.ts';

export const en: Messages = {
  language: 'en',
  greeting: (name) => (name ? `Hi ${name},` : 'Hi,'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `Your renewal is ready to pay (${number})`,
      paragraphs: [
        `Your subscription at ${sender} renews soon. Please pay ${due} by ${dueAt}.`,
        'We never charge your wallet automatically: you confirm each payment.',
      ],
      action: 'Pay now',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Reminder: your renewal is due soon (${number})`,
      paragraphs: [`Your ${due} subscription renewal at ${sender} is due by ${dueAt}.`],
      action: 'Pay now',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `Your payment is overdue (${number})`,
      paragraphs: [
        `Your subscription at ${sender} hasn’t been paid. ${due} is overdue.`,
        `You keep your access until ${endsAt}. If you haven’t paid by then, your subscription ends.`,
      ],
      action: 'Pay now',
    }),
    canceled: ({ sender, number }) => ({
      subject: `Your subscription has ended (${number})`,
      paragraphs: [
        `Your subscription at ${sender} has ended because it wasn’t paid.`,
        'Pay within 30 days to restart it.',
      ],
      action: 'Restart subscription',
    }),
    receipt: ({ sender, number }) => ({
      subject: `Your receipt for ${number}`,
      paragraphs: [`Thanks for your payment to ${sender}.`],
    }),
    trial_started: ({ sender, endsAt }) => ({
      subject: `Your free trial has started`,
      paragraphs: [
        `Your free trial at ${sender} has started. You don’t pay anything until ${endsAt}.`,
        'We’ll send you the first invoice before the trial ends. We never charge your wallet automatically: if you don’t pay, your subscription ends.',
      ],
    }),
    trial_ending: ({ sender, number, due, dueAt }) => ({
      subject: `Your free trial ends soon (${number})`,
      paragraphs: [
        `Your free trial at ${sender} ends on ${dueAt}. To keep your subscription, please pay ${due} by then.`,
        'We never charge your wallet automatically: you confirm each payment.',
      ],
      action: 'Pay now',
    }),
    trial_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Reminder: your free trial ends soon (${number})`,
      paragraphs: [`Your free trial at ${sender} ends on ${dueAt}. Pay ${due} to keep your subscription.`],
      action: 'Pay now',
    }),
    invoice: ({ sender, number, due, dueAt }) => ({
      subject: `Your invoice (${number})`,
      paragraphs: [`${sender} has sent you an invoice. Please pay ${due} by ${dueAt}.`],
      action: 'View and pay',
    }),
    invoice_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Reminder: your invoice is due soon (${number})`,
      paragraphs: [`Your ${due} invoice from ${sender} is due by ${dueAt}.`],
      action: 'View and pay',
    }),
    invoice_overdue: ({ sender, number, due, dueAt }) => ({
      subject: `Your invoice is overdue (${number})`,
      paragraphs: [
        `Your invoice from ${sender} was due by ${dueAt}, and ${due} is still unpaid. Please pay it now.`,
        'If you have just paid, you can ignore this e-mail.',
      ],
      action: 'View and pay',
    }),
    rest_reminder: (facts) => {
      const { sender, number, due } = facts;
      return {
        subject: `You have ${due} left to pay (${number})`,
        paragraphs: [
          `${sender} has received part of your payment. ${due} is left to pay.`,
          restOf(facts),
          'If you have just paid, you can ignore this e-mail.',
        ],
        action: 'Pay the rest',
      };
    },
  },
  labels: {
    invoice: 'Invoice',
    credit: 'Credit applied',
    discount: 'Discount',
    reverseCharge: 'Reverse charge',
    included: 'incl.',
    total: 'Total (USDC)',
    waived: 'Waived',
    stillDue: 'Amount due',
    dueAt: 'Due by',
    paidAt: 'Paid on',
    transaction: 'Solana transaction',
  },
  account: 'Your subscriptions and invoices',
  closing: (sender) => `Questions? Please contact ${sender}.`,
};

function restOf({ dueAt, endsAt, isOverdue }: FormattedFacts): string {
  if (endsAt !== null) return `You can pay the rest until ${endsAt}.`;
  return isOverdue ? `The rest was due by ${dueAt}. Please pay it now.` : `The rest is due by ${dueAt}.`;
}
