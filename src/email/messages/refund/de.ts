import type { RefundMessages } from './messages.ts';

export const de: RefundMessages = {
  language: 'de',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `Wohin soll Ihre Rückerstattung gehen? (${number})`,
      paragraphs: [
        `${sender} möchte Ihnen ${amount} zurückerstatten. Bitte geben Sie an, an welche Solana-Adresse.`,
        `Der Link ist nur für Sie bestimmt und gilt bis zum ${expiresAt}. Niemand wird Sie je nach einem Passwort oder geheimen Schlüssel fragen.`,
      ],
      action: 'Adresse angeben',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Ihre Rückerstattung wurde gesendet (${number})`,
      paragraphs: [`${sender} hat Ihnen ${amount} gesendet. Das Geld ist an Ihrer Adresse angekommen.`],
    }),
  },
  labels: {
    refund: 'Rückerstattung',
    amount: 'Betrag',
    address: 'Adresse',
    sentAt: 'Gesendet am',
    creditNote: 'Rechnungskorrektur',
    transaction: 'Solana-Transaktion',
  },
};
