import type { Messages } from './messages.ts';

export const de: Messages = {
  language: 'de',
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `Ihre Verlängerung kann bezahlt werden (${number})`,
      paragraphs: [
        `Ihr Abonnement bei ${sender} verlängert sich bald. Bitte zahlen Sie ${due} bis ${dueAt}.`,
        'Wir buchen nie automatisch etwas von Ihrer Wallet ab: Sie bestätigen jede Zahlung.',
      ],
      action: 'Jetzt bezahlen',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Erinnerung: Ihre Verlängerung ist bald fällig (${number})`,
      paragraphs: [`für Ihr Abonnement bei ${sender} sind noch ${due} offen, fällig bis ${dueAt}.`],
      action: 'Jetzt bezahlen',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `Ihre Zahlung ist überfällig (${number})`,
      paragraphs: [
        `die Verlängerung Ihres Abonnements bei ${sender} ist nicht bezahlt: ${due} sind offen.`,
        `Ihr Zugang bleibt bis ${endsAt} bestehen. Ohne Zahlung endet das Abonnement dann.`,
      ],
      action: 'Jetzt bezahlen',
    }),
    canceled: ({ sender, number }) => ({
      subject: `Ihr Abonnement ist beendet (${number})`,
      paragraphs: [
        `Ihr Abonnement bei ${sender} ist beendet, weil die Verlängerung nicht bezahlt wurde.`,
        'Zahlen Sie innerhalb von 30 Tagen, um es fortzusetzen.',
      ],
      action: 'Abonnement fortsetzen',
    }),
    receipt: ({ sender, number }) => ({
      subject: `Ihr Beleg zu ${number}`,
      paragraphs: [`vielen Dank für Ihre Zahlung an ${sender}.`],
    }),
  },
  labels: {
    invoice: 'Rechnung',
    credit: 'Guthaben',
    discount: 'Rabatt',
    total: 'Summe (USDC)',
    stillDue: 'Noch offen',
    dueAt: 'Fällig bis',
    paidAt: 'Bezahlt am',
    transaction: 'Solana-Transaktion',
  },
  closing: (sender) => `Fragen? Bitte wenden Sie sich an ${sender}.`,
};
