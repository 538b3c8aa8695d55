import type { RefundMessages } from './messages.ts';

export const en: RefundMessages = {
  language: 'en',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `Where should your refund go? (${number})`,
      paragraphs: [
        `${sender} wants to refund you ${amount}. Please say which Solana address it should go to.`,
        `The link is for you alone and works until ${expiresAt}. Nobody will ever ask you for a password or a secret key.`,
      ],
      action: 'Give your address',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Your refund was sent (${number})`,
      paragraphs: [`${sender} has sent you ${amount}, and it has arrived at your address.`],
    }),
  },
  labels: {
    refund: 'Refund',
    amount: 'Amount',
    address: 'Address',
    sentAt: 'Sent on',
    creditNote: 'Credit note',
    transaction: 'Solana transaction',
  },
};
