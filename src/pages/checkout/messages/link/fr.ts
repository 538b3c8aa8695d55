import type { LinkMessages } from './messages.ts';

export const fr: LinkMessages = {
  seller: 'le vendeur',
  credits: 'Crédits reçus',
  renews:
    'Chaque renouvellement est un paiement que vous confirmez. Rien n’est jamais prélevé automatiquement sur votre portefeuille.',
  reference: 'Référence',
  open: 'Vous choisissez le montant',
  form: {
    title: 'Votre commande',
    amount: 'Montant en dollars',
    otherAmount: 'Autre montant en dollars',
    amountHint: ({ min, max }) => (max === undefined ? `À partir de ${min}.` : `De ${min} à ${max}.`),
    email: 'E-mail',
    emailHint: 'Le vendeur peut vous y joindre au sujet de ce paiement.',
    referenceHint: 'Le numéro donné par le vendeur, de commande ou de client par exemple.',
    submit: 'Continuer vers le paiement',
    next: 'Vous payez en USDC sur Solana, depuis votre propre portefeuille. Vous y confirmerez le paiement.',
    startTrial: 'Commencer l’essai gratuit',
    trialNext:
      'Vous ne payez rien maintenant et n’avez pas encore besoin de portefeuille. Avant la fin de l’essai, nous vous demanderons de confirmer le premier paiement.',
  },
  problems: {
    title: 'À vérifier',
    amount: ({ min, max }) =>
      max === undefined
        ? `Veuillez saisir un montant d’au moins ${min}.`
        : `Veuillez saisir un montant de ${min} à ${max}.`,
    amountAmbiguous:
      'Cela pourrait se lire comme deux montants différents. Veuillez l’écrire sans séparateur de milliers, par exemple 1250 ou 1250,00.',
    emailMissing: 'Veuillez saisir votre adresse e-mail.',
    emailMalformed: 'Ce n’est pas une adresse e-mail. Elle devrait ressembler à nom@example.com.',
    referenceMissing: 'Veuillez saisir la référence que vous avez reçue.',
    referenceMalformed: '200 caractères au plus, sans retour à la ligne.',
  },
  notFound: {
    title: 'Ce lien de paiement n’existe pas',
    text: 'L’adresse est peut-être incomplète, ou le lien a été supprimé. Demandez-le à nouveau au vendeur.',
  },
  damaged: {
    title: 'Ce lien de paiement est endommagé',
    text: (merchant) =>
      `La référence dans son adresse dépasse 200 caractères ou contient des caractères non admis. Demandez un nouveau lien à ${merchant}.`,
  },
  closed: {
    title: 'Ce lien de paiement est fermé',
    text: (merchant) =>
      `Il n’accepte plus de paiements. Pour en obtenir un nouveau, veuillez contacter ${merchant}.`,
  },
  held: {
    title: 'En cours d’achat',
    text: 'Quelqu’un d’autre est en train de payer le dernier disponible. À défaut de paiement, il sera de nouveau proposé ici, généralement dans l’heure. Rien ne vous a été facturé.',
    back: 'Vérifier à nouveau',
  },
  refused: {
    title: 'Ce paiement est impossible pour l’instant',
    text: (merchant) =>
      `Rien n’a été payé. Ce paiement ne peut pas être accepté pour le moment. Veuillez contacter ${merchant}, ou réessayer plus tard.`,
    back: 'Réessayer',
  },
};
