import type { RefundMessages } from './messages.ts';

export const de: RefundMessages = {
  head: 'Ihre Rückerstattung',
  number: 'Rückerstattung',
  address: 'Adresse',
  transaction: 'Transaktion',
  sentAt: 'Gesendet',
  validUntil: 'Gültig bis',
  copy: 'Kopieren',
  copied: 'Kopiert',
  part: (sent) => `${sent} sind bereits angekommen. Der Rest folgt noch.`,
  asking: {
    title: 'Wohin soll Ihre Rückerstattung gehen?',
    text: (merchant) =>
      `${merchant} möchte Ihnen dieses Geld in USDC auf Solana senden. Geben Sie dafür die Adresse Ihrer Wallet an.`,
  },
  form: {
    label: 'Solana-Adresse Ihrer Wallet',
    hint: 'Sie steht in Ihrer Wallet unter „Empfangen“. Kopieren Sie sie und vergleichen Sie die ersten und letzten Zeichen.',
    warning:
      'Geben Sie keine Einzahlungsadresse einer Börse an, es sei denn, sie nimmt genau dort USDC auf Solana an. Geld, das an eine Adresse für einen anderen Token oder ein anderes Netzwerk geht, ist verloren.',
    submit: 'Diese Adresse verwenden',
    change: 'Adresse ändern',
    problem: 'Bitte prüfen',
    problems: {
      missing: 'Geben Sie die Adresse Ihrer Wallet ein.',
      malformed:
        'Das ist keine Solana-Adresse. Sie hat 32 bis 44 Buchstaben und Ziffern und keine Leerzeichen.',
      truncated:
        'Diese Adresse ist unvollständig. Kopieren Sie sie ganz, am besten mit der Kopierfunktion Ihrer Wallet: Sie hat 32 bis 44 Zeichen.',
      other_network:
        'Das ist eine Adresse aus einem anderen Netzwerk. Geben Sie die Adresse Ihrer Wallet auf Solana ein.',
      name: 'Das ist ein Name, keine Adresse. Geben Sie die Adresse ein, für die er steht.',
      unavailable:
        'Das Netzwerk ist gerade nicht erreichbar, und es wurde nichts gespeichert. Versuchen Sie es gleich noch einmal.',
      program:
        'Das ist die Adresse eines Programms. Geld, das dorthin geht, ist verloren. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
      mint: 'Das ist die Adresse eines Tokens selbst, keine Wallet. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
      token_account:
        'Das ist Ihr USDC-Konto, nicht Ihre Wallet. Geben Sie die Adresse der Wallet ein, zu der es gehört.',
      other_token_account:
        'Dieses Konto ist für einen anderen Token und kann keine USDC empfangen. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
      no_wallet:
        'Das ist eine besondere Adresse des Netzwerks, die niemandem gehört. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
      merchant: 'Das ist die Adresse des Verkäufers. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
      reference:
        'Diese Adresse kennzeichnet nur eine Zahlung oder Rückerstattung. Geld, das dorthin geht, ist verloren. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
      frozen:
        'Das USDC-Konto dieser Wallet ist gesperrt und kann nichts empfangen. Geben Sie die Adresse einer anderen Wallet ein.',
      no_account:
        'Diese Adresse gehört einem Programm und hatte noch nie USDC. Geben Sie die Adresse Ihrer eigenen Wallet ein.',
    },
  },
  wallet: {
    title: 'Oder mit einer Wallet in diesem Browser',
    text: 'Unterschreiben Sie mit der Wallet, mit der Sie bezahlt haben, dann muss niemand die Adresse freigeben. Das kostet nichts und bewegt kein Geld.',
    textUnknown: 'Sie trägt ihre Adresse für Sie ein.',
    offer: '{wallet} verwenden',
    connecting: 'Verbindung mit Ihrer Wallet wird hergestellt…',
    approve: 'Bitte unterschreiben Sie die Nachricht in Ihrer Wallet.',
    confirmed: 'Vielen Dank. Ihre Rückerstattung geht an die Wallet, mit der Sie bezahlt haben.',
    refused: 'Die Wallet hat nicht unterschrieben. Es wurde nichts geändert.',
    failed:
      'Die Unterschrift wurde nicht angenommen, und es wurde nichts geändert. Geben Sie stattdessen die Adresse ein.',
    other: 'Wir haben die Adresse dieser Wallet eingetragen. Prüfen Sie sie und senden Sie das Formular ab.',
  },
  awaitingApproval: {
    title: 'Vielen Dank. Die Adresse ist gespeichert.',
    text: (merchant) =>
      `${merchant} sieht sie sich an und sendet dann Ihre Rückerstattung. Bis dahin können Sie sie noch ändern.`,
  },
  ready: {
    title: 'Ihre Rückerstattung wird bald gesendet',
    text: (merchant) =>
      `Die Adresse ist bestätigt und lässt sich nicht mehr ändern. Als Nächstes sendet ${merchant} das Geld.`,
  },
  processing: {
    title: 'Ihre Rückerstattung ist unterwegs',
    text: () => 'Das Netzwerk bestätigt sie gerade. Das dauert etwa 15 Sekunden.',
  },
  succeeded: {
    title: 'Ihre Rückerstattung ist angekommen',
    text: (merchant) => `${merchant} hat sie an Ihre Adresse gesendet.`,
  },
  canceled: {
    title: 'Diese Rückerstattung wurde storniert',
    text: (merchant) =>
      `Es wird nichts gesendet. Wenn Sie das nicht erwartet haben, wenden Sie sich bitte an ${merchant}.`,
  },
  expired: {
    title: 'Diese Rückerstattung ist abgelaufen',
    text: (merchant) => `Sie wurde nicht rechtzeitig gesendet. Bitten Sie ${merchant} um eine neue.`,
  },
};
