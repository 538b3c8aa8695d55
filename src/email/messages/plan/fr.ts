import type { PlanMessages } from './messages.ts';

export const fr: PlanMessages = {
  language: 'fr',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Votre formule a changé',
      paragraphs: [`Votre abonnement chez ${sender} est maintenant ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Votre formule va changer',
      paragraphs: [`Votre abonnement chez ${sender} passe à ${plan} le ${at}. D’ici là, rien ne change.`],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Confirmez votre nouvelle formule',
      paragraphs: [
        `Votre abonnement chez ${sender} passe à ${plan} dès que vous avez payé ${due}. L’offre prend fin le ${at}.`,
        'Si vous ne payez pas, vous gardez votre formule actuelle.',
      ],
      action: 'Régler et changer',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Votre formule reste la même',
      paragraphs: [`Le changement de votre abonnement chez ${sender} a été annulé. Vous gardez ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Votre abonnement est résilié',
      paragraphs: [
        `Votre abonnement ${plan} chez ${sender} prend fin le ${at}. Vous gardez votre accès jusque-là.`,
        'Aucun autre paiement ne vous sera demandé.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Votre abonnement est terminé',
      paragraphs: [
        `Votre abonnement ${plan} chez ${sender} a pris fin le ${at}.`,
        'Aucun autre paiement ne vous sera demandé.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Votre abonnement continue',
      paragraphs: [
        `Votre abonnement ${plan} chez ${sender} n’est plus résilié. Il se renouvelle le ${at}.`,
        'Rien n’est jamais prélevé automatiquement\u00a0: vous confirmez chaque paiement.',
      ],
    }),
  },
};
