import type { AddressMessages } from './messages.ts';

export const fr: AddressMessages = {
  email_confirmation: ({ sender, email }) => ({
    subject: 'Confirmez votre adresse e-mail',
    paragraphs: [
      `Une personne qui a un compte chez ${sender} a indiqué ${email} comme adresse e-mail. Confirmez-la si c’était vous. Le lien fonctionne une seule fois, pendant 24 heures.`,
      `Si ce n’était pas vous, ne la confirmez pas\u00a0: ce que vous achetez chez ${sender} avec cette adresse pourrait arriver dans ce compte. Si vous ignorez cet e-mail, il ne se passe rien.`,
    ],
    action: 'Confirmer cette adresse',
  }),
  email_change: ({ sender, email }) => ({
    subject: 'Votre adresse e-mail va changer',
    paragraphs: [
      `Dans votre compte chez ${sender}, une nouvelle adresse e-mail a été indiquée\u00a0: ${email}. Elle remplacera celle-ci dès qu’elle sera confirmée depuis cette boîte.`,
      `Si c’était vous, vous n’avez rien à faire. Sinon, contactez ${sender} dès maintenant ou retirez la modification dans votre compte.`,
    ],
  }),
};
