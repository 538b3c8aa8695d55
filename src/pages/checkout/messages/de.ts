import type { CheckoutMessages } from './messages.ts';

export const de: CheckoutMessages = {
  total: 'Summe',
  quantity: (count) => `${count} ×`,
  credit: 'Angerechnetes Guthaben',
  note: 'Hinweis',
  discount: 'Rabatt:',
  code: {
    label: 'Rabattcode',
    apply: 'Einlösen',
    remove: 'Entfernen',
    invalid: 'Dieser Code ist nicht gültig.',
    refused: 'Dieser Code kann gerade nicht eingelöst werden.',
    idle: 'Dieser Code gilt nicht für diese Bestellung.',
  },
  tip: {
    label: 'Trinkgeld geben',
    other: 'Anderer Betrag in US-Dollar',
    add: 'Hinzufügen',
    none: 'Kein Trinkgeld',
    wrong: (max) => `Bitte geben Sie einen Betrag bis ${max} ein.`,
    refused: 'Trinkgeld kann gerade nicht hinzugefügt werden.',
  },
  period: (from, to) => `${from} – ${to}`,
  renews:
    'Jede Verlängerung ist eine Zahlung, die Sie bestätigen. Wir buchen nie automatisch etwas von Ihrer Wallet ab.',
  credits: (count) => (count === '1' ? '1 Credit' : `${count} Credits`),
  sandboxHint:
    'Mit echten Wallets kann hier nicht bezahlt werden. Verwenden Sie die Test-Wallet weiter unten.',
  waiting: {
    title: 'Mit USDC auf Solana bezahlen',
    amount: 'Zu zahlen',
    scan: 'Mit Ihrer Wallet scannen',
    scanLabel: 'QR-Code dieser Zahlung für eine Solana-Wallet',
    or: 'oder',
    wallets: 'Wallets in diesem Browser',
    payWith: 'Mit {wallet} bezahlen',
    noSol: 'Sie brauchen kein SOL: Die Netzwerkgebühr wird für Sie übernommen.',
    noSolLeft: 'Kein SOL in Ihrer Wallet? Die Netzwerkgebühr wird für Sie übernommen.',
    connecting: 'Verbindung mit Ihrer Wallet wird hergestellt…',
    approve: 'Bitte bestätigen Sie die Zahlung in Ihrer Wallet.',
    ownFee:
      'Für diese Wallet können wir die Netzwerkgebühr nicht zahlen. Bitte bestätigen Sie noch einmal: Ihre Wallet zahlt sie, weniger als einen Cent in SOL.',
    sent: 'Gesendet. Wir warten auf das Netzwerk…',
    refused: 'Die Zahlung wurde in Ihrer Wallet abgebrochen. Es wurde nichts abgebucht.',
    silent:
      'Ihre Wallet antwortet nicht. Öffnen Sie sie und suchen Sie nach einer Anfrage. Wenn keine da ist, laden Sie diese Seite neu.',
    feeMissing:
      'Ihre Wallet hat nicht genug SOL für die Netzwerkgebühr. Laden Sie etwas SOL auf oder zahlen Sie mit einer anderen Wallet.',
    moneyMissing:
      'Ihre Wallet hat nicht genug USDC. Laden Sie USDC auf oder zahlen Sie mit einer anderen Wallet.',
    otherNetwork: (network) =>
      `Ihre Wallet ist auf ein anderes Netzwerk eingestellt. Wechseln Sie zu ${network} und versuchen Sie es noch einmal.`,
    notTaken:
      'Diese Zahlung ist nicht zustande gekommen. Laden Sie die Seite neu. Ist die Zahlung noch offen, prüfen Sie, ob Ihre Wallet genug USDC hat, und versuchen Sie es erneut.',
    walletFailed:
      'Ihre Wallet meldet einen Fehler. Prüfen Sie die letzten Vorgänge, bevor Sie es noch einmal versuchen.',
    unsure:
      'Wir können noch nicht sagen, ob Ihre Zahlung gesendet wurde. Bitte warten Sie: Diese Seite zeigt sie, sobald sie ankommt. In 90 Sekunden können Sie es noch einmal versuchen.',
    openWallet: 'In der Wallet-App öffnen',
    openIn: (wallet) => `In ${wallet} öffnen`,
    noWallet: {
      title: 'Was ist USDC? Noch keine Wallet?',
      usdc: 'USDC ist ein digitaler Dollar: 1 USDC ist 1 US-Dollar wert. Sie bewahren ihn in einer Wallet auf, einer App, über die nur Sie verfügen.',
      text: 'Installieren Sie eine Solana-Wallet-App, laden Sie USDC auf und kehren Sie zu dieser Seite zurück. Das dauert ein paar Minuten.',
      get: (wallet) => `${wallet} holen`,
    },
    dueBy: 'Fällig am',
    expiresIn: 'Verbleibende Zeit',
    late: (until) =>
      `Ihr Abonnement wurde nicht rechtzeitig bezahlt. Bezahlen Sie bis ${until}, und es läuft wieder.`,
    tooLarge: 'Dieser Betrag ist zu groß für eine einzelne Zahlung. Bitte wenden Sie sich an den Verkäufer.',
    manual: 'Manuell bezahlen',
    manualHint:
      'Für Wallets, die nicht scannen können. Senden Sie genau diesen Betrag in USDC, in einer einzigen Zahlung.',
    sendExactly: 'Betrag',
    token: 'USDC-Token',
    toAddress: 'Adresse',
    reference: 'Referenz',
    referenceHint:
      'Geben Sie die Referenz an, wenn Ihre Wallet das kann. Ohne sie können wir die Zahlung nicht automatisch zuordnen. Fügen Sie nach dem Bezahlen unten Ihre Transaktion ein.',
    otherWallet: {
      title: 'Von einer Börse oder einer anderen Wallet bezahlen',
      text: 'Für Binance, Coinbase, Backpack, MetaMask und andere. Sie erhalten einen genauen Betrag für diese Zahlung: weniger als einen Cent mehr als der Preis.',
      ask: 'Genauen Betrag anzeigen',
      refused:
        'Wir können gerade keinen genauen Betrag reservieren. Bitte bezahlen Sie auf einem anderen Weg.',
      exactly: 'Senden Sie genau diesen Betrag. Daran erkennen wir, dass die Zahlung von Ihnen ist.',
      network:
        'Senden Sie ihn als USDC auf Solana, in einer einzigen Zahlung. Über ein anderes Netzwerk oder mit einem anderen Token kommt er nicht an.',
      fee: 'Zieht Ihre Börse ihre Gebühr vom Betrag ab, rechnen Sie die Gebühr hinzu: Genau dieser Betrag muss ankommen.',
      scanLabel: 'QR-Code mit diesem genauen Betrag für eine Solana-Wallet',
    },
    copy: 'Kopieren',
    copied: 'Kopiert',
    live: 'Wir erkennen Ihre Zahlung automatisch.',
    refresh: 'Erneut prüfen',
  },
  attempt: {
    failed:
      'Der letzte Versuch ist fehlgeschlagen, und es ist nichts angekommen. Sie können noch einmal bezahlen.',
    elsewhere:
      'Ihre letzte Transaktion ging an ein anderes Konto als das hier gezeigte und zählt deshalb nicht. Bitte sehen Sie in Ihrer Wallet nach. Sie können weiterhin bezahlen.',
    unknownToken: (amount, token) =>
      amount === null ? `Ein unbekannter Token (${token})` : `${amount} eines unbekannten Tokens (${token})`,
    arrived: (what, merchant) =>
      `Bei ${merchant} angekommen: ${what}. Das ist kein USDC und zählt deshalb nicht als Zahlung.`,
    ask: (merchant) => `Um es zurückzubekommen, wenden Sie sich an ${merchant}.`,
    askAt: (merchant) => `Um es zurückzubekommen, wenden Sie sich an ${merchant}:`,
    due: (amount) => `Offen sind noch ${amount} in USDC.`,
  },
  claim: {
    title: 'Ich habe bezahlt',
    text: 'Meist erscheint Ihre Zahlung innerhalb von Sekunden. Falls nicht, fügen Sie Ihre Transaktion ein, und wir prüfen sie.',
    signature: 'Signatur der Transaktion (optional)',
    hint: 'Ihre Wallet zeigt sie in den Details der Transaktion.',
    send: 'Zahlung prüfen',
    thanks: 'Vielen Dank. Wir suchen Ihre Zahlung. Diese Seite zeigt sie an, sobald wir sie gefunden haben.',
    foundTitle: 'Wir haben Ihre Zahlung gefunden',
    found: (merchant) =>
      `Wir haben Ihre Zahlung gefunden, aber sie nennt keine Bestellung. ${merchant} sieht sie und ordnet sie Ihrer Bestellung zu. Sie müssen nicht noch einmal zahlen.`,
    malformed: 'Das ist keine Signatur einer Transaktion. Sie hat etwa 88 Buchstaben und Ziffern.',
  },
  checking: {
    title: 'Die Zeit ist abgelaufen',
    text: 'Wir prüfen, ob rechtzeitig eine Zahlung gesendet wurde. Bitte zahlen Sie jetzt nicht: Das dauert nur wenige Augenblicke.',
  },
  confirming: {
    title: 'Zahlung erkannt',
    text: 'Das Netzwerk bestätigt sie gerade. Das dauert etwa 15 Sekunden; Sie können diese Seite verlassen.',
    part: (seen, missing) => `${seen} sind unterwegs. Danach fehlen noch ${missing}.`,
  },
  underpaid: {
    title: (missing) => `Es fehlen noch ${missing}`,
    text: (received, expected) =>
      `Wir haben ${received} von ${expected} erhalten. Zahlen Sie den Rest, um die Zahlung abzuschließen.`,
    late: (until) =>
      `Die Zahlungsfrist ist vorbei, aber bis zum ${until} können Sie die Zahlung mit dem Rest noch abschließen.`,
  },
  paid: {
    title: 'Bezahlt. Vielen Dank!',
    trialTitle: 'Ihre kostenlose Testphase hat begonnen',
    trialText: (until) => `Bis ${until} kostet sie nichts. Vorher bitten wir Sie um die erste Zahlung.`,
    text: (amount, merchant) => `${merchant} hat ${amount} erhalten.`,
    surplus: (amount, merchant) =>
      `Sie haben ${amount} zu viel bezahlt. Für eine Erstattung wenden Sie sich bitte an ${merchant}.`,
    receipt: 'Beleg (PDF)',
    transaction: 'Transaktion',
    paidAt: 'Bezahlt am',
    back: (merchant) => `Zurück zu ${merchant}`,
    close: 'Sie können diese Seite schließen.',
    number: 'Rechnung',
  },
  trialLink: {
    mailedTitle: 'Sehen Sie in Ihr Postfach',
    mailed: (email) =>
      `Wir haben einen Link an ${email} gesendet. Ihre Testphase beginnt, wenn Sie ihn öffnen.`,
    title: 'Starten Sie Ihre kostenlose Testphase',
    text: 'Mit diesem Schritt bestätigen Sie Ihre E-Mail-Adresse. Sie bezahlen jetzt nichts.',
    start: 'Testphase starten',
  },
  expired: {
    title: 'Diese Zahlung ist abgelaufen',
    text: 'Es ist rechtzeitig nichts angekommen. Bitte senden Sie kein Geld mehr an diese Adresse.',
    alreadyPaid: (until) =>
      `Schon gesendet? Eine verspätete Zahlung zählt noch bis zum ${until}, und diese Seite wird sie anzeigen.`,
    again: 'Neu beginnen',
  },
  partReceived: (received, expected, merchant) =>
    `${merchant} hat ${received} von ${expected} erhalten. Wenden Sie sich an den Verkäufer, falls Sie das Geld noch nicht zurückbekommen haben.`,
  over: {
    title: 'Diese Zahlung ist geschlossen',
    text: 'Sie kann hier nicht mehr bezahlt werden. Wenn Sie Geld gesendet haben, wenden Sie sich bitte mit Ihrer Transaktion an den Verkäufer.',
  },
  canceled: {
    title: 'Diese Zahlung wurde storniert',
    text: 'Bitte zahlen Sie nicht. Wenn Sie schon Geld gesendet haben, wenden Sie sich an den Verkäufer: Er kann es sehen.',
  },
  cancel: 'Abbrechen und zurück',
  backTo: (merchant) => `Zurück zu ${merchant}`,
  toAccount: 'Zurück zu Ihrem Konto',
  terminal: {
    title: (name) => name,
    idle: 'Bereit',
    idleText: 'Die nächste Zahlung erscheint hier.',
    inactive: 'Dieses Terminal ist nicht aktiv.',
    next: 'Warten auf die nächste Zahlung',
    thanks: 'Vielen Dank!',
  },
  testWallet: {
    title: 'Test-Wallet',
    text: 'Zahlt mit Testgeld auf der Test-Blockchain und wird gefunden wie jede andere Zahlung.',
    exact: 'Genau bezahlen',
    less: 'Zu wenig bezahlen',
    more: 'Zu viel bezahlen',
    twice: 'Doppelt bezahlen',
    late: 'Zu spät bezahlen',
    no_reference: 'Ohne Referenz bezahlen',
    reserved_amount: 'Genauen Betrag ohne Referenz bezahlen',
    fail: 'Auf der Blockchain scheitern',
    wrong_mint: 'Mit einem anderen Token bezahlen',
    lateHint: '„Zu spät bezahlen“ stellt zuerst die Uhr der Testumgebung vor, bis die Zahlung zu spät ist.',
  },
};
