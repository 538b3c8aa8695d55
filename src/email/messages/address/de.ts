import type { AddressMessages } from './messages.ts';

export const de: AddressMessages = {
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
};
