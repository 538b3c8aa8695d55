import type { EmailChangeMessages } from './messages.ts';

export const fr: EmailChangeMessages = {
  waiting: 'En attente de votre confirmation\u00a0: {email}, jusqu’au {moment}',
  withdraw: 'Retirer',
  withdrawn: 'Votre adresse e-mail reste la même.',
  sent: 'Nous avons envoyé un lien à {email}. Votre adresse changera quand vous l’ouvrirez.',
  hint: 'Nous y envoyons les rappels et les reçus. Une nouvelle adresse compte dès que vous ouvrez le lien que nous y envoyons.',
  fixed: 'Pour la modifier, contactez {merchant}.',
  needed: 'Saisissez une adresse e-mail. Pour la faire supprimer, contactez {merchant}.',
  tooMany: 'Cela fait trop de nouvelles adresses pour une journée. Réessayez demain.',
  confirmTitle: 'Est-ce votre adresse e-mail\u00a0?',
  confirmText:
    'Une personne qui a un compte chez {merchant} a indiqué {email}. Confirmez-la si c’était vous.',
  confirmWarning:
    'Si ce n’était pas vous, fermez cette page\u00a0: ce que vous achetez chez {merchant} avec cette adresse pourrait arriver dans ce compte.',
  confirmButton: 'Oui, confirmer cette adresse',
  doneTitle: 'Votre adresse est confirmée',
  doneText: 'Votre compte chez {merchant} utilise maintenant {email}.',
  deadTitle: 'Ce lien ne fonctionne plus',
  deadText:
    'Il a été utilisé, retiré ou remplacé, ou il a expiré. Vous pouvez saisir à nouveau l’adresse dans votre compte.',
};
