import type { CheckoutMessages } from './messages.ts';

export const fr: CheckoutMessages = {
  total: 'Total',
  quantity: (count) => `${count} ×`,
  credit: 'Avoir déduit',
  note: 'Remarque',
  discount: 'Remise\u00a0:',
  code: {
    label: 'Code promo',
    apply: 'Appliquer',
    remove: 'Retirer',
    invalid: 'Ce code n’est pas valable.',
    refused: 'Ce code ne peut pas être utilisé pour le moment.',
    idle: 'Ce code ne s’applique pas à cette commande.',
  },
  tip: {
    label: 'Ajouter un pourboire',
    other: 'Autre montant en dollars',
    add: 'Ajouter',
    none: 'Pas de pourboire',
    wrong: (max) => `Veuillez saisir un montant de ${max} au maximum.`,
    refused: 'Il n’est pas possible d’ajouter un pourboire pour le moment.',
  },
  period: (from, to) => `${from} – ${to}`,
  renews:
    'Chaque renouvellement est un paiement que vous confirmez. Rien n’est jamais prélevé automatiquement sur votre portefeuille.',
  credits: (count) => (count === '0' || count === '1' ? `${count} crédit` : `${count} crédits`),
  sandboxHint:
    'Les vrais portefeuilles ne peuvent pas payer ici. Utilisez le portefeuille de test ci-dessous.',
  waiting: {
    title: 'Payer en USDC sur Solana',
    amount: 'Montant à payer',
    scan: 'Scannez avec votre portefeuille',
    scanLabel: 'Code QR de ce paiement pour un portefeuille Solana',
    or: 'ou',
    wallets: 'Portefeuilles dans ce navigateur',
    payWith: 'Payer avec {wallet}',
    noSol: 'Pas besoin de SOL\u00a0: les frais de réseau sont pris en charge.',
    noSolLeft: 'Pas de SOL dans votre portefeuille\u00a0? Les frais de réseau sont pris en charge.',
    connecting: 'Connexion à votre portefeuille…',
    approve: 'Veuillez approuver le paiement dans votre portefeuille.',
    ownFee:
      'Nous ne pouvons pas payer les frais de réseau pour ce portefeuille. Veuillez approuver de nouveau\u202f: votre portefeuille les paie, moins d’un centime en SOL.',
    sent: 'Envoyé. En attente du réseau…',
    refused: 'Paiement annulé dans votre portefeuille. Rien n’a été débité.',
    silent:
      'Votre portefeuille ne répond pas. Ouvrez-le et cherchez une demande. S’il n’y en a pas, rechargez cette page.',
    feeMissing:
      'Votre portefeuille n’a pas assez de SOL pour les frais de réseau. Ajoutez un peu de SOL ou payez avec un autre portefeuille.',
    moneyMissing:
      'Votre portefeuille n’a pas assez d’USDC. Ajoutez des USDC ou payez avec un autre portefeuille.',
    otherNetwork: (network) =>
      `Votre portefeuille utilise un autre réseau. Passez à ${network}, puis réessayez.`,
    notTaken:
      'Ce paiement n’a pas abouti. Rechargez la page. Si le paiement est encore ouvert, vérifiez que votre portefeuille contient assez d’USDC, puis réessayez.',
    walletFailed: 'Votre portefeuille signale une erreur. Vérifiez son activité récente avant de réessayer.',
    unsure:
      'Nous ne savons pas encore si votre paiement a été envoyé. Veuillez patienter\u202f: cette page l’affichera dès son arrivée. Vous pourrez réessayer dans 90 secondes.',
    openWallet: 'Ouvrir dans l’application de portefeuille',
    openIn: (wallet) => `Ouvrir dans ${wallet}`,
    noWallet: {
      title: 'C’est quoi, l’USDC\u202f? Pas encore de portefeuille\u202f?',
      usdc: 'L’USDC est un dollar numérique\u202f: 1 USDC vaut 1 dollar américain. Il se garde dans un portefeuille, une application que vous seul contrôlez.',
      text: 'Installez une application de portefeuille Solana, ajoutez-y des USDC et revenez sur cette page. Cela prend quelques minutes.',
      get: (wallet) => `Obtenir ${wallet}`,
    },
    dueBy: 'À payer avant le',
    expiresIn: 'Temps restant',
    late: (until) => `Votre abonnement n’a pas été payé à temps. Payez avant le ${until} et il reprend.`,
    tooLarge: 'Ce montant est trop élevé pour un seul envoi. Veuillez contacter le vendeur.',
    manual: 'Payer manuellement',
    manualHint:
      'Pour les portefeuilles qui ne peuvent pas scanner. Envoyez exactement ce montant en USDC, en un seul envoi.',
    sendExactly: 'Montant',
    token: 'Jeton USDC',
    toAddress: 'Adresse',
    reference: 'Référence',
    referenceHint:
      'Ajoutez la référence si votre portefeuille le permet. Sans elle, nous ne pouvons pas reconnaître votre paiement automatiquement. Collez votre transaction ci-dessous après avoir payé.',
    otherWallet: {
      title: 'Payer depuis une plateforme d’échange ou un autre portefeuille',
      text: 'Pour Binance, Coinbase, Backpack, MetaMask et d’autres. Vous recevez un montant exact pour ce paiement : moins d’un centime de plus que le prix.',
      ask: 'Afficher le montant exact',
      refused:
        'Nous ne pouvons pas réserver de montant exact pour le moment. Veuillez payer d’une autre manière.',
      exactly: 'Envoyez exactement ce montant. C’est ainsi que nous savons que le paiement vient de vous.',
      network:
        'Envoyez-le en USDC sur Solana, en un seul envoi. Par un autre réseau ou avec un autre jeton, il n’arrivera pas.',
      fee: 'Si votre plateforme déduit ses frais du montant, ajoutez-les : c’est exactement ce montant qui doit arriver.',
      scanLabel: 'Code QR avec ce montant exact pour un portefeuille Solana',
    },
    copy: 'Copier',
    copied: 'Copié',
    live: 'Nous détecterons votre paiement automatiquement.',
    refresh: 'Vérifier à nouveau',
  },
  attempt: {
    failed: 'La dernière tentative n’a pas abouti et rien n’a été reçu. Vous pouvez payer à nouveau.',
    elsewhere:
      'Votre dernière transaction a payé un autre compte que celui indiqué ici, elle ne compte donc pas. Vérifiez-la dans votre portefeuille. Vous pouvez toujours payer.',
    unknownToken: (amount, token) =>
      amount === null ? `un jeton inconnu (${token})` : `${amount} d’un jeton inconnu (${token})`,
    arrived: (what, merchant) =>
      `${merchant} a reçu ${what}. Ce n’est pas de l’USDC, cela ne compte donc pas comme paiement.`,
    ask: (merchant) => `Pour le récupérer, contactez ${merchant}.`,
    askAt: (merchant) => `Pour le récupérer, contactez ${merchant} :`,
    due: (amount) => `Il reste ${amount} à payer en USDC.`,
  },
  claim: {
    title: 'J’ai payé',
    text: 'En général, votre paiement apparaît en quelques secondes. Sinon, collez votre transaction et nous vérifierons.',
    signature: 'Signature de la transaction (facultatif)',
    hint: 'Votre portefeuille l’affiche dans les détails de la transaction.',
    send: 'Vérifier mon paiement',
    thanks:
      'Merci. Nous recherchons votre paiement\u202f; cette page vous préviendra dès qu’il sera retrouvé.',
    foundTitle: 'Nous avons trouvé votre paiement',
    found: (merchant) =>
      `Nous avons trouvé votre paiement, mais il n’indique pas la commande concernée. ${merchant} le voit et l’associera à la vôtre. Vous n’avez pas à payer une nouvelle fois.`,
    malformed: 'Ce n’est pas une signature de transaction. Celle-ci compte environ 88 lettres et chiffres.',
  },
  checking: {
    title: 'Le temps est écoulé',
    text: 'Nous vérifions si un paiement a été envoyé à temps. Veuillez ne pas payer maintenant\u202f: cela ne prend que quelques instants.',
  },
  confirming: {
    title: 'Paiement détecté',
    text: 'Le réseau est en train de le confirmer. Cela prend environ 15 secondes\u202f; vous pouvez quitter cette page.',
    part: (seen, missing) => `${seen} sont en route. Il manquera encore ${missing} ensuite.`,
  },
  underpaid: {
    title: (missing) => `Il manque encore ${missing}`,
    text: (received, expected) =>
      `Nous avons reçu ${received} sur ${expected}. Payez le reste pour terminer le paiement.`,
    late: (until) =>
      `Le délai de paiement est passé, mais vous pouvez encore payer le reste jusqu’au ${until}.`,
  },
  paid: {
    title: 'Payé. Merci\u202f!',
    trialTitle: 'Votre essai gratuit a commencé',
    trialText: (until) =>
      `C’est gratuit jusqu’au ${until}. Nous vous demanderons le premier paiement avant cette date.`,
    text: (amount, merchant) => `${merchant} a reçu ${amount}.`,
    surplus: (amount, merchant) =>
      `Vous avez payé ${amount} de trop. Contactez ${merchant} pour un remboursement.`,
    receipt: 'Reçu (PDF)',
    transaction: 'Transaction',
    paidAt: 'Payé le',
    back: (merchant) => `Retour vers ${merchant}`,
    close: 'Vous pouvez fermer cette page.',
    number: 'Facture',
  },
  trialLink: {
    mailedTitle: 'Consultez votre boîte de réception',
    mailed: (email) => `Nous avons envoyé un lien à ${email}. Votre essai commence quand vous l’ouvrez.`,
    title: 'Commencez votre essai gratuit',
    text: 'Cette étape confirme votre adresse e-mail. Vous ne payez rien maintenant.',
    start: 'Commencer mon essai gratuit',
  },
  expired: {
    title: 'Ce paiement a expiré',
    text: 'Rien n’a été reçu à temps. Veuillez ne pas envoyer d’argent à cette adresse.',
    alreadyPaid: (until) =>
      `Vous l’avez déjà envoyé\u202f? Un paiement qui arrive en retard compte encore jusqu’au ${until}, et cette page l’affichera.`,
    again: 'Recommencer',
  },
  partReceived: (received, expected, merchant) =>
    `${merchant} a reçu ${received} sur ${expected}. Si vous n’avez pas été remboursé, contactez le vendeur.`,
  over: {
    title: 'Ce paiement est clos',
    text: 'Il ne peut plus être réglé ici. Si vous avez envoyé de l’argent, veuillez contacter le vendeur en indiquant votre transaction.',
  },
  canceled: {
    title: 'Ce paiement a été annulé',
    text: 'Veuillez ne pas payer. Si vous avez déjà envoyé de l’argent, contactez le vendeur\u202f: il peut le voir.',
  },
  cancel: 'Annuler et revenir',
  backTo: (merchant) => `Retour vers ${merchant}`,
  toAccount: 'Retour à votre compte',
  terminal: {
    title: (name) => name,
    idle: 'Prêt',
    idleText: 'Le prochain paiement s’affichera ici.',
    inactive: 'Ce terminal est désactivé.',
    next: 'En attente du prochain paiement',
    thanks: 'Merci\u202f!',
  },
  testWallet: {
    title: 'Portefeuille de test',
    text: 'Paie avec de l’argent fictif sur la chaîne de test, et le paiement est retrouvé comme n’importe quel autre.',
    exact: 'Payer le montant exact',
    less: 'Payer moins',
    more: 'Payer plus',
    twice: 'Payer deux fois',
    late: 'Payer en retard',
    no_reference: 'Payer sans référence',
    reserved_amount: 'Payer le montant exact sans référence',
    fail: 'Échouer sur la chaîne',
    wrong_mint: 'Payer avec un autre jeton',
    lateHint:
      '«\u202fPayer en retard\u202f» avance d’abord l’horloge du bac à sable jusqu’à ce que le paiement soit en retard.',
  },
};
