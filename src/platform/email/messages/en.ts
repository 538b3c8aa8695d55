import type { Messages } from './messages.ts';

export const en: Messages = {
  language: 'en',
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `your renewal is ready to pay (${number})`,
      paragraphs: [
        `your subscription at ${sender} renews soon. Please pay ${due} by ${dueAt}.`,
        'Nothing is taken from your wallet by itself: you confirm each payment.',
      ],
      action: 'Pay now',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `reminder: your renewal is due soon (${number})`,
      paragraphs: [`your subscription at ${sender} still waits for ${due}, due by ${dueAt}.`],
      action: 'Pay now',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `your payment is overdue (${number})`,
      paragraphs: [
        `the renewal of your subscription at ${sender} has not been paid: ${due} is open.`,
        `You keep your access until ${endsAt}. Without a payment the subscription ends then.`,
      ],
      action: 'Pay now',
    }),
    canceled: ({ sender, number }) => ({
      subject: `your subscription has ended (${number})`,
      paragraphs: [
        `your subscription at ${sender} has ended, because its renewal was not paid.`,
        'If you pay within 30 days, it begins again.',
      ],
      action: 'Pay and begin again',
    }),
    receipt: ({ sender, number }) => ({
      subject: `receipt for ${number}`,
      paragraphs: [`thank you. ${sender} has received your payment.`],
    }),
  },
  labels: {
    invoice: 'Invoice',
    credit: 'Account credit',
    total: 'Total',
    stillDue: 'Still due',
    dueAt: 'Due by',
    paidAt: 'Paid on',
    transaction: 'Solana transaction',
  },
  closing: (sender) => `Questions? Please ask ${sender}.`,
};
