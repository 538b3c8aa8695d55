import type { PlanMessages } from './messages.ts';

export const de: PlanMessages = {
  language: 'de',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Ihr Tarif wurde geändert',
      paragraphs: [`Ihr Abonnement bei ${sender} ist jetzt ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Ihr Tarif ändert sich',
      paragraphs: [
        `Ihr Abonnement bei ${sender} wechselt am ${at} zu ${plan}. Bis dahin ändert sich nichts.`,
      ],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Bestätigen Sie Ihren neuen Tarif',
      paragraphs: [
        `Ihr Abonnement bei ${sender} wechselt zu ${plan}, sobald Sie ${due} bezahlt haben. Das Angebot gilt bis ${at}.`,
        'Wenn Sie nicht bezahlen, behalten Sie Ihren jetzigen Tarif.',
      ],
      action: 'Bezahlen und wechseln',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Ihr Tarif bleibt, wie er ist',
      paragraphs: [
        `Der Tarifwechsel Ihres Abonnements bei ${sender} wurde zurückgenommen. Sie behalten ${plan}.`,
      ],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Ihr Abonnement ist gekündigt',
      paragraphs: [
        `Ihr Abonnement ${plan} bei ${sender} endet am ${at}. Bis dahin behalten Sie den Zugang.`,
        'Sie werden nicht mehr um eine Zahlung gebeten.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Ihr Abonnement ist beendet',
      paragraphs: [
        `Ihr Abonnement ${plan} bei ${sender} wurde am ${at} beendet.`,
        'Sie werden nicht mehr um eine Zahlung gebeten.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Ihr Abonnement läuft weiter',
      paragraphs: [
        `Ihr Abonnement ${plan} bei ${sender} ist nicht mehr gekündigt. Es verlängert sich am ${at}.`,
        'Wir buchen nie automatisch etwas ab: Sie bestätigen jede Zahlung selbst.',
      ],
    }),
  },
};
