import type { FormattedFacts, Messages } from './messages.ts';

export const de: Messages = {
  language: 'de',
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `Ihre Verlängerung kann bezahlt werden (${number})`,
      paragraphs: [
        `Ihr Abonnement bei ${sender} verlängert sich bald. Bitte zahlen Sie ${due} bis zum ${dueAt}.`,
        'Wir buchen nie automatisch etwas von Ihrer Wallet ab: Sie bestätigen jede Zahlung.',
      ],
      action: 'Jetzt bezahlen',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Erinnerung: Ihre Verlängerung ist bald fällig (${number})`,
      paragraphs: [`für Ihr Abonnement bei ${sender} sind noch ${due} offen, fällig am ${dueAt}.`],
      action: 'Jetzt bezahlen',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `Ihre Zahlung ist überfällig (${number})`,
      paragraphs: [
        `Ihr Abonnement bei ${sender} ist nicht bezahlt: ${due} sind offen.`,
        `Ihr Zugang bleibt bis zum ${endsAt} bestehen. Ohne Zahlung endet das Abonnement dann.`,
      ],
      action: 'Jetzt bezahlen',
    }),
    canceled: ({ sender, number }) => ({
      subject: `Ihr Abonnement ist beendet (${number})`,
      paragraphs: [
        `Ihr Abonnement bei ${sender} ist beendet, weil es nicht bezahlt wurde.`,
        'Zahlen Sie innerhalb von 30 Tagen, um es fortzusetzen.',
      ],
      action: 'Abonnement fortsetzen',
    }),
    receipt: ({ sender, number }) => ({
      subject: `Ihr Beleg zu ${number}`,
      paragraphs: [`vielen Dank für Ihre Zahlung an ${sender}.`],
    }),
    trial_started: ({ sender, endsAt }) => ({
      subject: `Ihre kostenlose Testphase hat begonnen`,
      paragraphs: [
        `Ihre kostenlose Testphase bei ${sender} hat begonnen. Bis zum ${endsAt} zahlen Sie nichts.`,
        'Die erste Rechnung erhalten Sie vor dem Ende der Testphase. Wir buchen nie automatisch etwas von Ihrer Wallet ab: Ohne Ihre Zahlung endet das Abonnement.',
      ],
    }),
    trial_ending: ({ sender, number, due, dueAt }) => ({
      subject: `Ihre kostenlose Testphase endet bald (${number})`,
      paragraphs: [
        `Ihre kostenlose Testphase bei ${sender} endet am ${dueAt}. Wenn Sie das Abonnement behalten möchten, zahlen Sie bitte bis dahin ${due}.`,
        'Wir buchen nie automatisch etwas von Ihrer Wallet ab: Sie bestätigen jede Zahlung.',
      ],
      action: 'Jetzt bezahlen',
    }),
    trial_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Erinnerung: Ihre kostenlose Testphase endet bald (${number})`,
      paragraphs: [
        `Ihre kostenlose Testphase bei ${sender} endet am ${dueAt}. Mit ${due} behalten Sie Ihr Abonnement.`,
      ],
      action: 'Jetzt bezahlen',
    }),
    invoice: ({ sender, number, due, dueAt }) => ({
      subject: `Ihre Rechnung (${number})`,
      paragraphs: [`${sender} hat Ihnen eine Rechnung geschickt. Bitte zahlen Sie ${due} bis zum ${dueAt}.`],
      action: 'Ansehen und bezahlen',
    }),
    invoice_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Erinnerung: Ihre Rechnung ist bald fällig (${number})`,
      paragraphs: [`Ihre Rechnung von ${sender} über ${due} ist am ${dueAt} fällig.`],
      action: 'Ansehen und bezahlen',
    }),
    invoice_overdue: ({ sender, number, due, dueAt }) => ({
      subject: `Ihre Rechnung ist überfällig (${number})`,
      paragraphs: [
        `Ihre Rechnung von ${sender} war am ${dueAt} fällig, und ${due} sind noch offen. Bitte zahlen Sie jetzt.`,
        'Falls Sie gerade bezahlt haben, ist diese E-Mail für Sie erledigt.',
      ],
      action: 'Ansehen und bezahlen',
    }),
    rest_reminder: (facts) => {
      const { sender, number, due } = facts;
      return {
        subject: `Noch ${due} zu zahlen (${number})`,
        paragraphs: [
          `${sender} hat einen Teil Ihrer Zahlung erhalten. Es fehlen noch ${due}.`,
          restOf(facts),
          'Falls Sie gerade bezahlt haben, ist diese E-Mail für Sie erledigt.',
        ],
        action: 'Rest bezahlen',
      };
    },
  },
  labels: {
    invoice: 'Rechnung',
    credit: 'Guthaben',
    discount: 'Rabatt',
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers',
    included: 'inkl.',
    total: 'Summe (USDC)',
    waived: 'Erlassen',
    stillDue: 'Noch offen',
    dueAt: 'Fällig am',
    paidAt: 'Bezahlt am',
    transaction: 'Solana-Transaktion',
  },
  account: 'Ihre Abonnements und Rechnungen',
  closing: (sender) => `Fragen? Bitte wenden Sie sich an ${sender}.`,
};

function restOf({ dueAt, endsAt, isOverdue }: FormattedFacts): string {
  if (endsAt !== null) return `Sie können den Rest bis zum ${endsAt} zahlen.`;
  return isOverdue
    ? `Der Rest war am ${dueAt} fällig. Bitte zahlen Sie ihn jetzt.`
    : `Der Rest ist am ${dueAt} fällig.`;
}
