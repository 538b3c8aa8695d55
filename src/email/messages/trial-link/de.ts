import type { TrialLinkText } from './messages.ts';

export const de: TrialLinkText = (sender) => ({
  subject: 'Starten Sie Ihre kostenlose Testphase',
  paragraphs: [
    `Jemand hat diese E-Mail-Adresse eingegeben, um bei ${sender} eine kostenlose Testphase zu beginnen. Wenn Sie das waren, starten Sie sie hier. Der Link funktioniert einmal, höchstens 24 Stunden lang.`,
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail einfach: Es beginnt nichts, und Sie können die Testphase später immer noch nutzen.',
  ],
  action: 'Testphase starten',
});
