import type { TrialLinkText } from './messages.ts';

export const fr: TrialLinkText = (sender) => ({
  subject: 'Commencez votre essai gratuit',
  paragraphs: [
    `Quelqu’un a indiqué cette adresse e-mail pour commencer un essai gratuit chez ${sender}. Si c’était vous, commencez-le ici. Le lien fonctionne une seule fois, pendant 24 heures au plus.`,
    'Si ce n’était pas vous, ignorez simplement cet e-mail\u00a0: rien ne commence, et vous pourrez profiter de l’essai plus tard.',
  ],
  action: 'Commencer mon essai gratuit',
});
