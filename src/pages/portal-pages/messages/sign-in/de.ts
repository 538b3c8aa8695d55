import type { SignInMessages } from './messages.ts';

export const de: SignInMessages = {
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
};
