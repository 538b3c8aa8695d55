import type { CommonMessages } from './messages.ts';

export const fr: CommonMessages = {
  skip: 'Aller au contenu',
  language: 'Langue',
  poweredBy: 'Propulsé par',
  newTab: 'Régler dans un nouvel onglet',
  sandbox: 'Bac à sable : cet argent est fictif. Rien ici n’a de valeur.',
  errors: {
    notFound: {
      title: 'Il n’y a rien ici',
      text: 'L’adresse est peut-être incomplète. Rouvrez-la depuis l’endroit où vous l’avez trouvée.',
    },
    gone: { title: 'Ceci n’est plus disponible', text: 'Demandez un nouveau lien au vendeur.' },
    tooMany: {
      title: 'Un instant, s’il vous plaît',
      text: 'Il y a eu beaucoup de demandes depuis votre réseau. Réessayez dans un moment.',
    },
    unavailable: {
      title: 'Nous ne pouvons pas répondre pour l’instant',
      text: 'Rien n’est perdu. Les paiements envoyés seront retrouvés dès notre retour.',
    },
    broken: { title: 'Une erreur est survenue de notre côté', text: 'Elle a été notée. Veuillez réessayer.' },
    refused: { title: 'Cela n’a pas fonctionné', text: 'Revenez en arrière et réessayez.' },
  },
  contact: 'Contacter le vendeur',
  terms: 'Conditions',
  tryAgain: 'Réessayer',
  trace: 'Si vous demandez de l’aide, indiquez ce numéro :',
};
