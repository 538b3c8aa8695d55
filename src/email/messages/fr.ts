import type { FormattedFacts, Messages } from './messages.ts';

export const fr: Messages = {
  language: 'fr',
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `Votre renouvellement peut être payé (${number})`,
      paragraphs: [
        `Votre abonnement chez ${sender} se renouvelle bientôt. Veuillez payer ${due} avant le ${dueAt}.`,
        'Nous ne débitons jamais votre portefeuille automatiquement\u00a0: vous confirmez chaque paiement.',
      ],
      action: 'Payer maintenant',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Rappel\u00a0: votre renouvellement arrive à échéance (${number})`,
      paragraphs: [
        `Le renouvellement de votre abonnement chez ${sender}, d’un montant de ${due}, est à payer avant le ${dueAt}.`,
      ],
      action: 'Payer maintenant',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `Votre paiement est en retard (${number})`,
      paragraphs: [
        `Votre abonnement chez ${sender} n’a pas été payé. Il reste ${due} à régler.`,
        `Vous gardez votre accès jusqu’au ${endsAt}. Sans paiement d’ici là, votre abonnement prendra fin.`,
      ],
      action: 'Payer maintenant',
    }),
    canceled: ({ sender, number }) => ({
      subject: `Votre abonnement a pris fin (${number})`,
      paragraphs: [
        `Votre abonnement chez ${sender} a pris fin, car il n’a pas été payé.`,
        'Payez dans les 30 jours pour le reprendre.',
      ],
      action: 'Reprendre l’abonnement',
    }),
    receipt: ({ sender, number }) => ({
      subject: `Votre reçu pour ${number}`,
      paragraphs: [`Merci pour votre paiement à ${sender}.`],
    }),
    trial_started: ({ sender, endsAt }) => ({
      subject: `Votre essai gratuit a commencé`,
      paragraphs: [
        `Votre essai gratuit chez ${sender} a commencé. Vous ne payez rien jusqu’au ${endsAt}.`,
        'Nous vous enverrons la première facture avant la fin de l’essai. Nous ne débitons jamais votre portefeuille automatiquement\u00a0: sans paiement de votre part, l’abonnement prend fin.',
      ],
    }),
    trial_ending: ({ sender, number, due, dueAt }) => ({
      subject: `Votre essai gratuit se termine bientôt (${number})`,
      paragraphs: [
        `Votre essai gratuit chez ${sender} se termine le ${dueAt}. Pour garder votre abonnement, veuillez payer ${due} d’ici là.`,
        'Nous ne débitons jamais votre portefeuille automatiquement\u00a0: vous confirmez chaque paiement.',
      ],
      action: 'Payer maintenant',
    }),
    trial_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Rappel\u00a0: votre essai gratuit se termine bientôt (${number})`,
      paragraphs: [
        `Votre essai gratuit chez ${sender} se termine le ${dueAt}. Payez ${due} pour garder votre abonnement.`,
      ],
      action: 'Payer maintenant',
    }),
    invoice: ({ sender, number, due, dueAt }) => ({
      subject: `Votre facture (${number})`,
      paragraphs: [`${sender} vous a envoyé une facture. Veuillez payer ${due} avant le ${dueAt}.`],
      action: 'Voir et payer',
    }),
    invoice_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Rappel\u00a0: votre facture arrive à échéance (${number})`,
      paragraphs: [`Votre facture de ${sender}, d’un montant de ${due}, est à payer avant le ${dueAt}.`],
      action: 'Voir et payer',
    }),
    invoice_overdue: ({ sender, number, due, dueAt }) => ({
      subject: `Votre facture est en retard (${number})`,
      paragraphs: [
        `Votre facture de ${sender} était à payer avant le ${dueAt}, et il reste ${due} à régler. Veuillez la payer maintenant.`,
        'Si vous venez de payer, ne tenez pas compte de cet e-mail.',
      ],
      action: 'Voir et payer',
    }),
    rest_reminder: (facts) => {
      const { sender, number, due } = facts;
      return {
        subject: `Il reste ${due} à payer (${number})`,
        paragraphs: [
          `${sender} a reçu une partie de votre paiement. Il reste ${due} à payer.`,
          restOf(facts),
          'Si vous venez de payer, ne tenez pas compte de cet e-mail.',
        ],
        action: 'Payer le reste',
      };
    },
  },
  labels: {
    invoice: 'Facture',
    credit: 'Crédit utilisé',
    discount: 'Remise',
    reverseCharge: 'Autoliquidation',
    included: 'dont',
    total: 'Total (USDC)',
    waived: 'Reste annulé',
    stillDue: 'Reste à payer',
    dueAt: 'À payer avant le',
    paidAt: 'Payé le',
    transaction: 'Transaction Solana',
  },
  account: 'Vos abonnements et factures',
  closing: (sender) => `Des questions\u00a0? Adressez-vous à ${sender}.`,
};

function restOf({ dueAt, endsAt, isOverdue }: FormattedFacts): string {
  if (endsAt !== null) return `Vous pouvez payer le reste jusqu’au ${endsAt}.`;
  return isOverdue
    ? `Le reste était à payer avant le ${dueAt}. Veuillez le payer maintenant.`
    : `Le reste est à payer avant le ${dueAt}.`;
}
