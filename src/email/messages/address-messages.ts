import type { Language } from '../../platform/lib/language.ts';
import type { AddressEmailKind } from '../portal-email.ts';
import type { EmailText } from './messages.ts';

type AddressMessages = Record<AddressEmailKind, (facts: { sender: string; email: string }) => EmailText>;

const MESSAGES: Record<Language, AddressMessages> = {
  en: {
    email_confirmation: ({ sender, email }) => ({
      subject: 'Confirm your e-mail address',
      paragraphs: [
        `Somebody with an account at ${sender} entered ${email} as their e-mail address. Please confirm it if that was you. The link works once, for 24 hours.`,
        `If it wasn’t you, don’t confirm it: what you buy from ${sender} with this address could end up in their account. Nothing happens if you ignore this e-mail.`,
      ],
      action: 'Confirm this address',
    }),
    email_change: ({ sender, email }) => ({
      subject: 'Your e-mail address is about to change',
      paragraphs: [
        `In your account with ${sender}, a new e-mail address was entered: ${email}. It replaces this one as soon as it is confirmed from that mailbox.`,
        `If that was you, there is nothing to do here. If it wasn’t, please contact ${sender} now, or withdraw the change in your account.`,
      ],
    }),
  },
  de: {
    email_confirmation: ({ sender, email }) => ({
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        `Jemand mit einem Konto bei ${sender} hat ${email} als E-Mail-Adresse eingegeben. Bitte bestätigen Sie sie, wenn Sie das waren. Der Link funktioniert einmal, 24 Stunden lang.`,
        `Wenn Sie das nicht waren, bestätigen Sie sie nicht: Was Sie mit dieser Adresse bei ${sender} kaufen, könnte sonst in dem fremden Konto landen. Wenn Sie diese E-Mail ignorieren, geschieht nichts.`,
      ],
      action: 'Adresse bestätigen',
    }),
    email_change: ({ sender, email }) => ({
      subject: 'Ihre E-Mail-Adresse soll geändert werden',
      paragraphs: [
        `In Ihrem Konto bei ${sender} wurde eine neue E-Mail-Adresse eingegeben: ${email}. Sie ersetzt diese hier, sobald sie aus jenem Postfach bestätigt wird.`,
        `Wenn Sie das waren, müssen Sie hier nichts tun. Wenn nicht, wenden Sie sich bitte gleich an ${sender}, oder ziehen Sie die Änderung in Ihrem Konto zurück.`,
      ],
    }),
  },
  es: {
    email_confirmation: ({ sender, email }) => ({
      subject: 'Confirme su correo electrónico',
      paragraphs: [
        `Alguien con una cuenta en ${sender} ha indicado ${email} como su correo electrónico. Confírmelo si ha sido usted. El enlace funciona una sola vez, durante 24 horas.`,
        `Si no ha sido usted, no lo confirme: lo que compre en ${sender} con esta dirección podría acabar en esa cuenta. Si ignora este correo, no pasará nada.`,
      ],
      action: 'Confirmar esta dirección',
    }),
    email_change: ({ sender, email }) => ({
      subject: 'Su correo electrónico va a cambiar',
      paragraphs: [
        `En su cuenta de ${sender} se ha indicado un correo electrónico nuevo: ${email}. Sustituirá a este en cuanto se confirme desde ese buzón.`,
        `Si ha sido usted, no tiene que hacer nada. Si no, póngase en contacto con ${sender} ahora mismo o retire el cambio en su cuenta.`,
      ],
    }),
  },
  fr: {
    email_confirmation: ({ sender, email }) => ({
      subject: 'Confirmez votre adresse e-mail',
      paragraphs: [
        `Une personne qui a un compte chez ${sender} a indiqué ${email} comme adresse e-mail. Confirmez-la si c’était vous. Le lien fonctionne une seule fois, pendant 24 heures.`,
        `Si ce n’était pas vous, ne la confirmez pas\u00a0: ce que vous achetez chez ${sender} avec cette adresse pourrait arriver dans ce compte. Si vous ignorez cet e-mail, il ne se passe rien.`,
      ],
      action: 'Confirmer cette adresse',
    }),
    email_change: ({ sender, email }) => ({
      subject: 'Votre adresse e-mail va changer',
      paragraphs: [
        `Dans votre compte chez ${sender}, une nouvelle adresse e-mail a été indiquée\u00a0: ${email}. Elle remplacera celle-ci dès qu’elle sera confirmée depuis cette boîte.`,
        `Si c’était vous, vous n’avez rien à faire. Sinon, contactez ${sender} dès maintenant ou retirez la modification dans votre compte.`,
      ],
    }),
  },
  ar: {
    email_confirmation: ({ sender, email }) => ({
      subject: 'أكّد عنوان بريدك الإلكتروني',
      paragraphs: [
        `أدخل شخص لديه حساب لدى ${sender} العنوان ${email} بوصفه بريده الإلكتروني. أكّده إذا كنت أنت من فعل ذلك. يعمل الرابط مرة واحدة، لمدة 24 ساعة.`,
        `إذا لم تكن أنت، فلا تؤكّده: فما تشتريه من ${sender} بهذا العنوان قد يصل إلى ذلك الحساب. وإذا تجاهلت هذه الرسالة فلن يحدث شيء.`,
      ],
      action: 'تأكيد هذا العنوان',
    }),
    email_change: ({ sender, email }) => ({
      subject: 'سيتغيّر عنوان بريدك الإلكتروني',
      paragraphs: [
        `في حسابك لدى ${sender} أُدخل عنوان بريد إلكتروني جديد: ${email}. سيحل محل هذا العنوان فور تأكيده من ذلك البريد.`,
        `إذا كنت أنت من فعل ذلك، فلا داعي لأي إجراء. وإلا فتواصل مع ${sender} الآن، أو اسحب التغيير من حسابك.`,
      ],
    }),
  },
};

/** Chooses the language the way other e-mails do. */
export function addressMessagesIn(language: string): AddressMessages {
  const first = language.toLowerCase().split('-')[0] as Language;
  return MESSAGES[first] ?? MESSAGES.en;
}
