import type { Language } from '../../platform/lib/language.ts';
import type { EmailText } from './messages.ts';

type SignInText = (sender: string) => EmailText;

const MESSAGES: Record<Language, SignInText> = {
  en: (sender) => ({
    subject: 'Your sign-in link',
    paragraphs: [
      `Here is the link to your account with ${sender}. It works once, for 15 minutes.`,
      'Anyone who has it can open your account, so don’t share it. If you didn’t ask for it, you can ignore this e-mail.',
    ],
    action: 'Open my account',
  }),
  de: (sender) => ({
    subject: 'Ihr Link zum Anmelden',
    paragraphs: [
      `Hier ist der Link zu Ihrem Konto bei ${sender}. Er funktioniert einmal, 15 Minuten lang.`,
      'Wer ihn hat, kann Ihr Konto öffnen. Geben Sie ihn deshalb nicht weiter. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
    ],
    action: 'Mein Konto öffnen',
  }),
  es: (sender) => ({
    subject: 'Su enlace para iniciar sesión',
    paragraphs: [
      `Aquí tiene el enlace a su cuenta en ${sender}. Funciona una sola vez, durante 15 minutos.`,
      'Quien lo tenga puede abrir su cuenta, así que no lo comparta. Si no lo ha pedido, puede ignorar este correo.',
    ],
    action: 'Abrir mi cuenta',
  }),
  fr: (sender) => ({
    subject: 'Votre lien de connexion',
    paragraphs: [
      `Voici le lien vers votre compte chez ${sender}. Il fonctionne une seule fois, pendant 15 minutes.`,
      'Toute personne qui l’a peut ouvrir votre compte\u00a0: ne le partagez pas. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail.',
    ],
    action: 'Ouvrir mon compte',
  }),
  ar: (sender) => ({
    subject: 'رابط تسجيل الدخول',
    paragraphs: [
      `إليك الرابط إلى حسابك لدى ${sender}. يعمل مرة واحدة، لمدة 15 دقيقة.`,
      'من يملك هذا الرابط يستطيع فتح حسابك، فلا تشاركه مع أحد. إذا لم تطلبه، فيمكنك تجاهل هذه الرسالة.',
    ],
    action: 'فتح حسابي',
  }),
};

/** Chooses the language the way other e-mails do. */
export function signInMessagesIn(language: string): SignInText {
  const first = language.toLowerCase().split('-')[0] as Language;
  return MESSAGES[first] ?? MESSAGES.en;
}
