import type { Language } from '../../platform/lib/language.ts';
import type { PlanEmailKind } from '../email.ts';
import type { EmailText } from './messages.ts';

/** Values that a text about a subscription may contain, formatted for people. */
export interface FormattedPlan {
  sender: string;
  /** The plan it is about: the new one of a change. */
  plan: string;
  /** When it takes effect, or until when something can be done. */
  at: string;
  /** The amount that has to be paid first. */
  due: string;
}

export interface PlanMessages {
  language: Language;
  emails: Record<PlanEmailKind, (plan: FormattedPlan) => EmailText>;
}

const en: PlanMessages = {
  language: 'en',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Your plan has changed',
      paragraphs: [`Your subscription at ${sender} is now ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Your plan will change',
      paragraphs: [
        `Your subscription at ${sender} changes to ${plan} on ${at}. Until then, nothing changes.`,
      ],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Confirm your new plan',
      paragraphs: [
        `Your subscription at ${sender} changes to ${plan} once you pay ${due}. The offer ends on ${at}.`,
        'If you don’t pay, you keep your current plan.',
      ],
      action: 'Pay and change',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Your plan stays as it is',
      paragraphs: [`The change of your subscription at ${sender} was withdrawn. You stay on ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Your subscription is canceled',
      paragraphs: [
        `Your subscription to ${plan} at ${sender} ends on ${at}. You keep your access until then.`,
        'You won’t be asked to pay again.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Your subscription has ended',
      paragraphs: [
        `Your subscription to ${plan} at ${sender} ended on ${at}.`,
        'You won’t be asked to pay again.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Your subscription continues',
      paragraphs: [
        `Your subscription to ${plan} at ${sender} is no longer canceled. It renews on ${at}.`,
        'We never charge your wallet automatically: you confirm each payment.',
      ],
    }),
  },
};

const de: PlanMessages = {
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

const es: PlanMessages = {
  language: 'es',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Su plan ha cambiado',
      paragraphs: [`Su suscripción en ${sender} ahora es ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Su plan va a cambiar',
      paragraphs: [`Su suscripción en ${sender} cambia a ${plan} el ${at}. Hasta entonces no cambia nada.`],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Confirme su nuevo plan',
      paragraphs: [
        `Su suscripción en ${sender} cambia a ${plan} en cuanto pague ${due}. La oferta termina el ${at}.`,
        'Si no paga, conserva su plan actual.',
      ],
      action: 'Pagar y cambiar',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Su plan sigue igual',
      paragraphs: [`Se ha retirado el cambio de su suscripción en ${sender}. Conserva ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Su suscripción está cancelada',
      paragraphs: [
        `Su suscripción a ${plan} en ${sender} termina el ${at}. Hasta entonces conserva el acceso.`,
        'No le pediremos ningún otro pago.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Su suscripción ha terminado',
      paragraphs: [
        `Su suscripción a ${plan} en ${sender} terminó el ${at}.`,
        'No le pediremos ningún otro pago.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Su suscripción continúa',
      paragraphs: [
        `Su suscripción a ${plan} en ${sender} ya no está cancelada. Se renueva el ${at}.`,
        'Nunca cobramos automáticamente de su billetera: usted confirma cada pago.',
      ],
    }),
  },
};

const fr: PlanMessages = {
  language: 'fr',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Votre formule a changé',
      paragraphs: [`Votre abonnement chez ${sender} est maintenant ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Votre formule va changer',
      paragraphs: [`Votre abonnement chez ${sender} passe à ${plan} le ${at}. D’ici là, rien ne change.`],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Confirmez votre nouvelle formule',
      paragraphs: [
        `Votre abonnement chez ${sender} passe à ${plan} dès que vous avez payé ${due}. L’offre prend fin le ${at}.`,
        'Si vous ne payez pas, vous gardez votre formule actuelle.',
      ],
      action: 'Régler et changer',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Votre formule reste la même',
      paragraphs: [`Le changement de votre abonnement chez ${sender} a été annulé. Vous gardez ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Votre abonnement est résilié',
      paragraphs: [
        `Votre abonnement ${plan} chez ${sender} prend fin le ${at}. Vous gardez votre accès jusque-là.`,
        'Aucun autre paiement ne vous sera demandé.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Votre abonnement est terminé',
      paragraphs: [
        `Votre abonnement ${plan} chez ${sender} a pris fin le ${at}.`,
        'Aucun autre paiement ne vous sera demandé.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Votre abonnement continue',
      paragraphs: [
        `Votre abonnement ${plan} chez ${sender} n’est plus résilié. Il se renouvelle le ${at}.`,
        'Rien n’est jamais prélevé automatiquement\u00a0: vous confirmez chaque paiement.',
      ],
    }),
  },
};

const ar: PlanMessages = {
  language: 'ar',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'تغيّرت باقتك',
      paragraphs: [`أصبح اشتراكك لدى ${sender} الآن ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'ستتغيّر باقتك',
      paragraphs: [`سيتغيّر اشتراكك لدى ${sender} إلى ${plan} في ${at}. لن يتغيّر شيء قبل ذلك.`],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'أكّد باقتك الجديدة',
      paragraphs: [
        `سيتغيّر اشتراكك لدى ${sender} إلى ${plan} بعد أن تدفع ${due}. ينتهي العرض في ${at}.`,
        'إذا لم تدفع، فستبقى على باقتك الحالية.',
      ],
      action: 'الدفع والتغيير',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'تبقى باقتك كما هي',
      paragraphs: [`أُلغي تغيير اشتراكك لدى ${sender}. تبقى على ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'أُلغي اشتراكك',
      paragraphs: [
        `ينتهي اشتراكك في ${plan} لدى ${sender} في ${at}. يبقى وصولك متاحًا حتى ذلك الحين.`,
        'لن يُطلب منك أي دفع آخر.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'انتهى اشتراكك',
      paragraphs: [`انتهى اشتراكك في ${plan} لدى ${sender} في ${at}.`, 'لن يُطلب منك أي دفع آخر.'],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'اشتراكك مستمر',
      paragraphs: [
        `لم يعد اشتراكك في ${plan} لدى ${sender} ملغى. سيتجدد في ${at}.`,
        'لا نخصم من محفظتك تلقائيًا أبدًا: أنت تؤكد كل دفعة.',
      ],
    }),
  },
};

const LANGUAGES: readonly PlanMessages[] = [en, de, es, fr, ar];

/** Chooses the language the way other e-mails do. */
export function planMessagesIn(language: string | null): PlanMessages {
  const first = language?.toLowerCase().split('-')[0];
  return LANGUAGES.find((messages) => messages.language === first) ?? en;
}
