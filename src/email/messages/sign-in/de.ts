import type { SignInText } from './messages.ts';

export const de: SignInText = (sender) => ({
  subject: 'Ihr Link zum Anmelden',
  paragraphs: [
    `Hier ist der Link zu Ihrem Konto bei ${sender}. Er funktioniert einmal, 15 Minuten lang.`,
    'Wer ihn hat, kann Ihr Konto öffnen. Geben Sie ihn deshalb nicht weiter. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  ],
  action: 'Mein Konto öffnen',
});
