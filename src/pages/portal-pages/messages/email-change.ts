import type { Language } from '../../../platform/lib/language.ts';

/** Texts of another e-mail address: in the portal while it waits, and of the page that its link opens. */
export interface EmailChangeMessages {
  /** Beside the address of the customer. */
  waiting: string;
  withdraw: string;
  withdrawn: string;
  sent: string;
  hint: string;
  fixed: string;
  needed: string;
  tooMany: string;
  confirmTitle: string;
  confirmText: string;
  confirmWarning: string;
  confirmButton: string;
  doneTitle: string;
  doneText: string;
  deadTitle: string;
  deadText: string;
}

export const emailChangeMessages: Record<Language, EmailChangeMessages> = {
  en: {
    waiting: 'Waiting for you to confirm {email}, until {moment}',
    withdraw: 'Withdraw',
    withdrawn: 'Your e-mail address stays as it is.',
    sent: 'We have sent a link to {email}. Your address changes once you open it.',
    hint: 'We send reminders and receipts here. A new address counts once you open the link we send to it.',
    fixed: 'To change it, please contact {merchant}.',
    needed: 'Enter an e-mail address. To have it removed, please contact {merchant}.',
    tooMany: 'Too many new addresses for one day. Please try again tomorrow.',
    confirmTitle: 'Is this your e-mail address?',
    confirmText: 'Somebody with an account at {merchant} entered {email}. Confirm it if that was you.',
    confirmWarning:
      'If it wasn’t you, close this page: what you buy from {merchant} with this address could end up in their account.',
    confirmButton: 'Yes, confirm this address',
    doneTitle: 'Your address is confirmed',
    doneText: 'Your account with {merchant} now uses {email}.',
    deadTitle: 'This link no longer works',
    deadText:
      'It was used, withdrawn or replaced, or it has expired. You can enter the address again in your account.',
  },
  de: {
    waiting: 'Wartet, bis Sie {email} bestätigen, bis {moment}',
    withdraw: 'Zurückziehen',
    withdrawn: 'Ihre E-Mail-Adresse bleibt, wie sie ist.',
    sent: 'Wir haben einen Link an {email} gesendet. Ihre Adresse ändert sich, sobald Sie ihn öffnen.',
    hint: 'Hierhin senden wir Erinnerungen und Belege. Eine neue Adresse gilt, sobald Sie den Link öffnen, den wir dorthin senden.',
    fixed: 'Um sie zu ändern, wenden Sie sich bitte an {merchant}.',
    needed:
      'Geben Sie eine E-Mail-Adresse ein. Um sie entfernen zu lassen, wenden Sie sich bitte an {merchant}.',
    tooMany: 'Das waren zu viele neue Adressen für einen Tag. Bitte versuchen Sie es morgen wieder.',
    confirmTitle: 'Ist das Ihre E-Mail-Adresse?',
    confirmText:
      'Jemand mit einem Konto bei {merchant} hat {email} eingegeben. Bestätigen Sie sie, wenn Sie das waren.',
    confirmWarning:
      'Wenn nicht, schließen Sie diese Seite: Was Sie mit dieser Adresse bei {merchant} kaufen, könnte sonst in dem fremden Konto landen.',
    confirmButton: 'Ja, Adresse bestätigen',
    doneTitle: 'Ihre Adresse ist bestätigt',
    doneText: 'Ihr Konto bei {merchant} verwendet jetzt {email}.',
    deadTitle: 'Dieser Link funktioniert nicht mehr',
    deadText:
      'Er wurde benutzt, zurückgezogen oder ersetzt, oder er ist abgelaufen. Sie können die Adresse in Ihrem Konto noch einmal eingeben.',
  },
  es: {
    waiting: 'A la espera de que confirme {email}, hasta el {moment}',
    withdraw: 'Retirar',
    withdrawn: 'Su correo electrónico sigue siendo el mismo.',
    sent: 'Hemos enviado un enlace a {email}. Su correo cambiará cuando lo abra.',
    hint: 'Aquí enviamos recordatorios y recibos. Un correo nuevo vale en cuanto abra el enlace que le enviamos.',
    fixed: 'Para cambiarlo, póngase en contacto con {merchant}.',
    needed: 'Escriba un correo electrónico. Para eliminarlo, póngase en contacto con {merchant}.',
    tooMany: 'Son demasiados correos nuevos para un día. Inténtelo de nuevo mañana.',
    confirmTitle: '¿Es este su correo electrónico?',
    confirmText: 'Alguien con una cuenta en {merchant} ha indicado {email}. Confírmelo si ha sido usted.',
    confirmWarning:
      'Si no ha sido usted, cierre esta página: lo que compre en {merchant} con esta dirección podría acabar en esa cuenta.',
    confirmButton: 'Sí, confirmar esta dirección',
    doneTitle: 'Su correo está confirmado',
    doneText: 'Su cuenta en {merchant} usa ahora {email}.',
    deadTitle: 'Este enlace ya no funciona',
    deadText:
      'Se ha usado, retirado o sustituido, o ha caducado. Puede volver a escribir el correo en su cuenta.',
  },
  fr: {
    waiting: 'En attente de votre confirmation\u00a0: {email}, jusqu’au {moment}',
    withdraw: 'Retirer',
    withdrawn: 'Votre adresse e-mail reste la même.',
    sent: 'Nous avons envoyé un lien à {email}. Votre adresse changera quand vous l’ouvrirez.',
    hint: 'Nous y envoyons les rappels et les reçus. Une nouvelle adresse compte dès que vous ouvrez le lien que nous y envoyons.',
    fixed: 'Pour la modifier, contactez {merchant}.',
    needed: 'Saisissez une adresse e-mail. Pour la faire supprimer, contactez {merchant}.',
    tooMany: 'Cela fait trop de nouvelles adresses pour une journée. Réessayez demain.',
    confirmTitle: 'Est-ce votre adresse e-mail\u00a0?',
    confirmText:
      'Une personne qui a un compte chez {merchant} a indiqué {email}. Confirmez-la si c’était vous.',
    confirmWarning:
      'Si ce n’était pas vous, fermez cette page\u00a0: ce que vous achetez chez {merchant} avec cette adresse pourrait arriver dans ce compte.',
    confirmButton: 'Oui, confirmer cette adresse',
    doneTitle: 'Votre adresse est confirmée',
    doneText: 'Votre compte chez {merchant} utilise maintenant {email}.',
    deadTitle: 'Ce lien ne fonctionne plus',
    deadText:
      'Il a été utilisé, retiré ou remplacé, ou il a expiré. Vous pouvez saisir à nouveau l’adresse dans votre compte.',
  },
  ar: {
    waiting: 'في انتظار تأكيدكم {email}، حتى {moment}',
    withdraw: 'سحب',
    withdrawn: 'يبقى عنوان بريدكم الإلكتروني كما هو.',
    sent: 'أرسلنا رابطًا إلى {email}. سيتغيّر عنوانكم عندما تفتحونه.',
    hint: 'نرسل التذكيرات والإيصالات إلى هنا. يُعتمد العنوان الجديد عندما تفتحون الرابط الذي نرسله إليه.',
    fixed: 'لتغييره، يُرجى التواصل مع {merchant}.',
    needed: 'أدخلوا عنوان بريد إلكتروني. لحذفه، يُرجى التواصل مع {merchant}.',
    tooMany: 'هذه عناوين جديدة كثيرة ليوم واحد. يُرجى المحاولة غدًا.',
    confirmTitle: 'هل هذا عنوان بريدكم الإلكتروني؟',
    confirmText: 'أدخل شخص لديه حساب لدى {merchant} العنوان {email}. أكّدوه إذا كنتم أنتم من فعل ذلك.',
    confirmWarning:
      'إذا لم تكونوا أنتم، فأغلقوا هذه الصفحة: فما تشترونه من {merchant} بهذا العنوان قد يصل إلى ذلك الحساب.',
    confirmButton: 'نعم، تأكيد هذا العنوان',
    doneTitle: 'تم تأكيد عنوانكم',
    doneText: 'يستخدم حسابكم لدى {merchant} الآن {email}.',
    deadTitle: 'لم يعد هذا الرابط يعمل',
    deadText: 'سبق استخدامه أو سحبه أو استبداله، أو انتهت صلاحيته. يمكنكم إدخال العنوان مرة أخرى في حسابكم.',
  },
};
