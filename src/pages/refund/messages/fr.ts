import type { RefundMessages } from './messages.ts';

export const fr: RefundMessages = {
  head: 'Votre remboursement',
  number: 'Remboursement',
  address: 'Adresse',
  transaction: 'Transaction',
  sentAt: 'Envoyé',
  validUntil: 'Valable jusqu’au',
  copy: 'Copier',
  copied: 'Copié',
  part: (sent) => `${sent} sont déjà arrivés. Le reste suivra.`,
  asking: {
    title: 'Où envoyer votre remboursement\u00a0?',
    text: (merchant) =>
      `${merchant} souhaite vous envoyer cet argent en USDC sur Solana. Indiquez l’adresse de votre portefeuille.`,
  },
  form: {
    label: 'Adresse Solana de votre portefeuille',
    hint: 'Dans votre portefeuille, elle se trouve sous «\u00a0Recevoir\u00a0». Copiez-la et comparez les premiers et les derniers caractères.',
    warning:
      'N’indiquez pas l’adresse de dépôt d’une plateforme d’échange, sauf si elle accepte l’USDC sur Solana exactement à cette adresse. L’argent envoyé à une adresse prévue pour un autre jeton ou un autre réseau est perdu.',
    submit: 'Utiliser cette adresse',
    change: 'Modifier l’adresse',
    problem: 'À vérifier',
    problems: {
      missing: 'Saisissez l’adresse de votre portefeuille.',
      malformed: 'Ce n’est pas une adresse Solana. Elle compte de 32 à 44 lettres et chiffres, sans espaces.',
      truncated:
        'Cette adresse est incomplète. Copiez-la en entier avec le bouton de copie de votre portefeuille\u00a0: elle compte de 32 à 44 caractères.',
      other_network:
        'C’est une adresse d’un autre réseau. Saisissez l’adresse de votre portefeuille sur Solana.',
      name: 'C’est un nom, pas une adresse. Saisissez l’adresse qui lui correspond.',
      unavailable:
        'Le réseau est injoignable pour le moment et rien n’a été enregistré. Réessayez dans un instant.',
      program:
        'C’est l’adresse d’un programme\u00a0: l’argent qui y est envoyé est perdu. Saisissez l’adresse de votre propre portefeuille.',
      mint: 'C’est l’adresse d’un jeton, pas d’un portefeuille. Saisissez l’adresse de votre propre portefeuille.',
      token_account:
        'C’est votre compte USDC, pas votre portefeuille. Saisissez l’adresse du portefeuille auquel il appartient.',
      other_token_account:
        'Ce compte est celui d’un autre jeton et ne peut pas recevoir d’USDC. Saisissez l’adresse de votre propre portefeuille.',
      no_wallet:
        'C’est une adresse spéciale du réseau, qui n’appartient à personne. Saisissez l’adresse de votre propre portefeuille.',
      merchant: 'C’est l’adresse du vendeur. Saisissez l’adresse de votre propre portefeuille.',
      reference:
        'Cette adresse ne fait qu’identifier un paiement ou un remboursement\u00a0: l’argent qui y est envoyé est perdu. Saisissez l’adresse de votre propre portefeuille.',
      frozen:
        'Le compte USDC de ce portefeuille est gelé et ne peut rien recevoir. Saisissez l’adresse d’un autre portefeuille.',
      no_account:
        'Cette adresse appartient à un programme et n’a jamais détenu d’USDC. Saisissez l’adresse de votre propre portefeuille.',
    },
  },
  wallet: {
    title: 'Ou avec un portefeuille de ce navigateur',
    text: 'Signez avec le portefeuille qui vous a servi à payer, et personne n’aura à approuver l’adresse. Signer ne coûte rien et ne déplace pas d’argent.',
    textUnknown: 'Il remplit son adresse pour vous.',
    offer: 'Utiliser {wallet}',
    connecting: 'Connexion à votre portefeuille…',
    approve: 'Veuillez signer le message dans votre portefeuille.',
    confirmed: 'Merci. Votre remboursement ira au portefeuille qui vous a servi à payer.',
    refused: 'Le portefeuille n’a pas signé. Rien n’a été modifié.',
    failed: 'La signature n’a pas été acceptée et rien n’a été modifié. Saisissez plutôt l’adresse.',
    other: 'Nous avons rempli l’adresse de ce portefeuille. Vérifiez-la et envoyez le formulaire.',
  },
  awaitingApproval: {
    title: 'Merci. L’adresse est enregistrée.',
    text: (merchant) =>
      `${merchant} va la vérifier, puis envoyer votre remboursement. D’ici là, vous pouvez encore la modifier.`,
  },
  ready: {
    title: 'Votre remboursement sera bientôt envoyé',
    text: (merchant) =>
      `L’adresse est confirmée et ne peut plus être modifiée. ${merchant} va maintenant envoyer l’argent.`,
  },
  processing: {
    title: 'Votre remboursement est en route',
    text: () => 'Le réseau est en train de le confirmer. Cela prend environ 15 secondes.',
  },
  succeeded: {
    title: 'Votre remboursement est arrivé',
    text: (merchant) => `${merchant} l’a envoyé à votre adresse.`,
  },
  canceled: {
    title: 'Ce remboursement a été annulé',
    text: (merchant) => `Rien ne sera envoyé. Si vous ne vous y attendiez pas, adressez-vous à ${merchant}.`,
  },
  expired: {
    title: 'Ce remboursement a expiré',
    text: (merchant) => `Il n’a pas été envoyé à temps. Demandez-en un nouveau à ${merchant}.`,
  },
};
