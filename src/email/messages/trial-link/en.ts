import type { TrialLinkText } from './messages.ts';

export const en: TrialLinkText = (sender) => ({
  subject: 'Start your free trial',
  paragraphs: [
    `Somebody entered this e-mail address to start a free trial at ${sender}. If that was you, start it here. The link works once, for 24 hours at most.`,
    'If it wasn’t you, just ignore this e-mail: nothing starts, and you can still have the trial later.',
  ],
  action: 'Start my free trial',
});
