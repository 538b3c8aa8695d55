import type { LinkMessages } from './messages.ts';

export const de: LinkMessages = {
  seller: 'den Verkäufer',
  credits: 'Gutgeschriebene Credits',
  renews:
    'Jede Verlängerung ist eine Zahlung, die Sie bestätigen. Wir buchen nie automatisch etwas von Ihrer Wallet ab.',
  reference: 'Referenz',
  open: 'Sie bestimmen den Betrag',
  form: {
    title: 'Ihre Bestellung',
    amount: 'Betrag in US-Dollar',
    otherAmount: 'Anderer Betrag in US-Dollar',
    amountHint: ({ min, max }) => (max === undefined ? `Ab ${min}.` : `Von ${min} bis ${max}.`),
    email: 'E-Mail',
    emailHint: 'Hier erreicht Sie der Verkäufer zu dieser Zahlung.',
    referenceHint: 'Die Nummer, die Sie vom Verkäufer haben, etwa eine Bestell- oder Kundennummer.',
    submit: 'Weiter zur Zahlung',
    next: 'Sie zahlen in USDC auf Solana, aus Ihrer eigenen Wallet. Dort bestätigen Sie die Zahlung.',
    startTrial: 'Kostenlos testen',
    trialNext:
      'Sie zahlen jetzt nichts und brauchen noch keine Wallet. Vor dem Ende der Testphase bitten wir Sie um die erste Zahlung.',
  },
  problems: {
    title: 'Bitte prüfen',
    amount: ({ min, max }) =>
      max === undefined
        ? `Bitte geben Sie einen Betrag ab ${min} ein.`
        : `Bitte geben Sie einen Betrag von ${min} bis ${max} ein.`,
    amountAmbiguous:
      'Das könnte zwei verschiedene Beträge bedeuten. Bitte schreiben Sie ihn ohne Tausendertrennzeichen, zum Beispiel 1250 oder 1250,00.',
    emailMissing: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
    emailMalformed: 'Das ist keine E-Mail-Adresse. Sie sollte aussehen wie name@example.com.',
    referenceMissing: 'Bitte geben Sie die Referenz ein, die Sie erhalten haben.',
    referenceMalformed: 'Höchstens 200 Zeichen, ohne Zeilenumbrüche.',
  },
  notFound: {
    title: 'Diesen Zahlungslink gibt es nicht',
    text: 'Die Adresse ist vielleicht unvollständig, oder der Link wurde entfernt. Bitten Sie den Verkäufer noch einmal darum.',
  },
  damaged: {
    title: 'Dieser Zahlungslink ist beschädigt',
    text: (merchant) =>
      `Die Referenz in seiner Adresse ist länger als 200 Zeichen oder enthält unzulässige Zeichen. Bitten Sie ${merchant} um einen neuen Link.`,
  },
  closed: {
    title: 'Dieser Zahlungslink ist geschlossen',
    text: (merchant) =>
      `Er nimmt keine Zahlungen mehr an. Einen neuen erhalten Sie, wenn Sie sich an ${merchant} wenden.`,
  },
  held: {
    title: 'Wird gerade gekauft',
    text: 'Das letzte Exemplar wird gerade von jemand anderem bezahlt. Andernfalls wird es in der Regel innerhalb einer Stunde hier wieder angeboten. Ihnen wurde nichts berechnet.',
    back: 'Noch einmal nachsehen',
  },
  refused: {
    title: 'Das kann gerade nicht bezahlt werden',
    text: (merchant) =>
      `Es wurde nichts bezahlt. Zurzeit kann diese Zahlung nicht angenommen werden. Wenden Sie sich bitte an ${merchant}, oder versuchen Sie es später noch einmal.`,
    back: 'Noch einmal versuchen',
  },
};
