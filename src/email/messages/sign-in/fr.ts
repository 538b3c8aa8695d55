import type { SignInText } from './messages.ts';

export const fr: SignInText = (sender) => ({
  subject: 'Votre lien de connexion',
  paragraphs: [
    `Voici le lien vers votre compte chez ${sender}. Il fonctionne une seule fois, pendant 15 minutes.`,
    'Toute personne qui l’a peut ouvrir votre compte\u00a0: ne le partagez pas. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail.',
  ],
  action: 'Ouvrir mon compte',
});
