import type { Messages } from './messages.ts';

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
      paragraphs: [`Your subscription renewal of ${due} at ${sender} is due by ${dueAt}.`],
      action: 'Pay now',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `Your payment is overdue (${number})`,
      paragraphs: [
        `Your subscription renewal at ${sender} hasn’t been paid. ${due} is overdue.`,
        `You keep your access until ${endsAt}. If you haven’t paid by then, your subscription ends.`,
      ],
      action: 'Pay now',
    }),
    canceled: ({ sender, number }) => ({
      subject: `Your subscription has ended (${number})`,
      paragraphs: [
        `Your subscription at ${sender} has ended because its renewal wasn’t paid.`,
        'Pay within 30 days to restart it.',
      ],
      action: 'Restart subscription',
    }),
    receipt: ({ sender, number }) => ({
      subject: `Your receipt for ${number}`,
      paragraphs: [`Thanks for your payment to ${sender}.`],
    }),
  },
  labels: {
    invoice: 'Invoice',
    credit: 'Credit applied',
    discount: 'Discount',
    total: 'Total (USDC)',
    stillDue: 'Amount due',
    dueAt: 'Due by',
    paidAt: 'Paid on',
    transaction: 'Solana transaction',
  },
  closing: (sender) => `Questions? Please contact ${sender}.`,
};
