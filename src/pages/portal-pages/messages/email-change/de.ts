import type { EmailChangeMessages } from './messages.ts';

export const de: EmailChangeMessages = {
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
};
