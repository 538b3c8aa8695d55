import type { Language } from '../../platform/lib/language.ts';
import type { EmailText } from './messages.ts';

type TrialLinkText = (sender: string) => EmailText;

const MESSAGES: Record<Language, TrialLinkText> = {
  en: (sender) => ({
    subject: 'Start your free trial',
    paragraphs: [
      `Somebody entered this e-mail address to start a free trial at ${sender}. If that was you, start it here. The link works once, for 24 hours at most.`,
      'If it wasn’t you, just ignore this e-mail: nothing starts, and you can still have the trial later.',
    ],
    action: 'Start my free trial',
  }),
  de: (sender) => ({
    subject: 'Starten Sie Ihre kostenlose Testphase',
    paragraphs: [
      `Jemand hat diese E-Mail-Adresse eingegeben, um bei ${sender} eine kostenlose Testphase zu beginnen. Wenn Sie das waren, starten Sie sie hier. Der Link funktioniert einmal, höchstens 24 Stunden lang.`,
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail einfach: Es beginnt nichts, und Sie können die Testphase später immer noch nutzen.',
    ],
    action: 'Testphase starten',
  }),
  es: (sender) => ({
    subject: 'Empiece su prueba gratuita',
    paragraphs: [
      `Alguien ha indicado este correo electrónico para empezar una prueba gratuita en ${sender}. Si ha sido usted, empiécela aquí. El enlace funciona una sola vez, durante 24 horas como máximo.`,
      'Si no ha sido usted, ignore este correo: no empezará nada y podrá disfrutar de la prueba más adelante.',
    ],
    action: 'Empezar mi prueba gratuita',
  }),
  fr: (sender) => ({
    subject: 'Commencez votre essai gratuit',
    paragraphs: [
      `Quelqu’un a indiqué cette adresse e-mail pour commencer un essai gratuit chez ${sender}. Si c’était vous, commencez-le ici. Le lien fonctionne une seule fois, pendant 24 heures au plus.`,
      'Si ce n’était pas vous, ignorez simplement cet e-mail\u00a0: rien ne commence, et vous pourrez profiter de l’essai plus tard.',
    ],
    action: 'Commencer mon essai gratuit',
  }),
  ar: (sender) => ({
    subject: 'ابدأ فترتك التجريبية المجانية',
    paragraphs: [
      `أدخل شخص هذا البريد الإلكتروني لبدء فترة تجريبية مجانية لدى ${sender}. إذا كنت أنت من فعل ذلك، فابدأها من هنا. يعمل الرابط مرة واحدة، لمدة 24 ساعة على الأكثر.`,
      'إذا لم تكن أنت، فتجاهل هذه الرسالة: لن يبدأ شيء، ويمكنك الاستفادة من الفترة التجريبية لاحقًا.',
    ],
    action: 'بدء فترتي التجريبية',
  }),
};

/** Chooses the language the way other e-mails do. */
export function trialLinkMessagesIn(language: string): TrialLinkText {
  const first = language.toLowerCase().split('-')[0] as Language;
  return MESSAGES[first] ?? MESSAGES.en;
}
