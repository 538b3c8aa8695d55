import type { Language } from '../../../platform/lib/language.ts';

/** Texts of the page where customers ask for a link by e-mail, and of the ways to it. */
export interface SignInMessages {
  title: string;
  text: string;
  label: string;
  submit: string;
  problem: string;
  sentTitle: string;
  sentText: string;
  notThere: string;
  again: string;
  newLink: string;
  /** Text for a link that was used or has expired. */
  usedText: string;
}

export const signInMessages: Record<Language, SignInMessages> = {
  en: {
    title: 'Sign in to your account',
    text: 'Enter the e-mail address you use with {merchant}. We’ll send you a link that opens your account.',
    label: 'E-mail address',
    submit: 'Send me a link',
    problem: 'Please enter an e-mail address, such as name@example.com.',
    sentTitle: 'Check your e-mail',
    sentText:
      'If this address has an account with {merchant}, we have sent a link to it. The link works once, for 15 minutes.',
    notThere: 'Nothing there after a few minutes? Look in your spam folder, or try another address.',
    again: 'Try another address',
    newLink: 'Get a new link by e-mail',
    usedText: 'It has already been used or has expired. You can get a new one by e-mail.',
  },
  de: {
    title: 'In Ihrem Konto anmelden',
    text: 'Geben Sie die E-Mail-Adresse ein, die Sie bei {merchant} verwenden. Wir senden Ihnen einen Link, der Ihr Konto öffnet.',
    label: 'E-Mail-Adresse',
    submit: 'Link zusenden',
    problem: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sentText:
      'Wenn diese Adresse ein Konto bei {merchant} hat, haben wir einen Link dorthin gesendet. Er funktioniert einmal, 15 Minuten lang.',
    notThere:
      'Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, oder versuchen Sie es mit einer anderen Adresse.',
    again: 'Andere Adresse versuchen',
    newLink: 'Neuen Link per E-Mail erhalten',
    usedText: 'Er wurde schon benutzt oder ist abgelaufen. Sie können per E-Mail einen neuen erhalten.',
  },
  es: {
    title: 'Iniciar sesión en su cuenta',
    text: 'Escriba el correo electrónico que usa con {merchant}. Le enviaremos un enlace que abre su cuenta.',
    label: 'Correo electrónico',
    submit: 'Enviarme un enlace',
    problem: 'Escriba un correo electrónico, por ejemplo nombre@example.com.',
    sentTitle: 'Mire su correo',
    sentText:
      'Si esta dirección tiene una cuenta en {merchant}, le hemos enviado un enlace. Funciona una sola vez, durante 15 minutos.',
    notThere: '¿No ha llegado nada en unos minutos? Mire en la carpeta de spam o pruebe con otra dirección.',
    again: 'Probar con otra dirección',
    newLink: 'Recibir un enlace nuevo por correo',
    usedText: 'Ya se ha usado o ha caducado. Puede recibir uno nuevo por correo.',
  },
  fr: {
    title: 'Se connecter à votre compte',
    text: 'Saisissez l’adresse e-mail que vous utilisez chez {merchant}. Nous vous enverrons un lien qui ouvre votre compte.',
    label: 'Adresse e-mail',
    submit: 'M’envoyer un lien',
    problem: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
    sentTitle: 'Consultez votre messagerie',
    sentText:
      'Si cette adresse a un compte chez {merchant}, nous y avons envoyé un lien. Il fonctionne une seule fois, pendant 15 minutes.',
    notThere:
      'Toujours rien après quelques minutes\u00a0? Regardez dans les courriers indésirables ou essayez une autre adresse.',
    again: 'Essayer une autre adresse',
    newLink: 'Recevoir un nouveau lien par e-mail',
    usedText: 'Il a déjà été utilisé ou a expiré. Vous pouvez en recevoir un nouveau par e-mail.',
  },
  ar: {
    title: 'تسجيل الدخول إلى حسابكم',
    text: 'أدخلوا عنوان البريد الإلكتروني الذي تستخدمونه لدى {merchant}. سنرسل إليكم رابطًا يفتح حسابكم.',
    label: 'عنوان البريد الإلكتروني',
    submit: 'أرسلوا إليّ رابطًا',
    problem: 'يُرجى إدخال عنوان بريد إلكتروني، مثل name@example.com.',
    sentTitle: 'تحققوا من بريدكم الإلكتروني',
    sentText:
      'إذا كان لهذا العنوان حساب لدى {merchant}، فقد أرسلنا إليه رابطًا. يعمل الرابط مرة واحدة، لمدة 15 دقيقة.',
    notThere: 'لم يصل شيء بعد بضع دقائق؟ ابحثوا في مجلد البريد غير المرغوب فيه، أو جرّبوا عنوانًا آخر.',
    again: 'تجربة عنوان آخر',
    newLink: 'الحصول على رابط جديد بالبريد الإلكتروني',
    usedText: 'سبق استخدامه أو انتهت صلاحيته. يمكنكم الحصول على رابط جديد بالبريد الإلكتروني.',
  },
};
