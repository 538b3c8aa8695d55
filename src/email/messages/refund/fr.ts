import type { RefundMessages } from './messages.ts';

export const fr: RefundMessages = {
  language: 'fr',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `Où envoyer votre remboursement\u00a0? (${number})`,
      paragraphs: [
        `${sender} souhaite vous rembourser ${amount}. Indiquez à quelle adresse Solana l’envoyer.`,
        `Ce lien vous est réservé et reste valable jusqu’au ${expiresAt}. Personne ne vous demandera jamais un mot de passe ou une clé secrète.`,
      ],
      action: 'Indiquer l’adresse',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Votre remboursement a été envoyé (${number})`,
      paragraphs: [`${sender} vous a envoyé ${amount}, et l’argent est arrivé à votre adresse.`],
    }),
  },
  labels: {
    refund: 'Remboursement',
    amount: 'Montant',
    address: 'Adresse',
    sentAt: 'Envoyé le',
    creditNote: 'Avoir',
    transaction: 'Transaction Solana',
  },
};
