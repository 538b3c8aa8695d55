import type { EmailText } from '../messages.ts';

export type TrialLinkText = (sender: string) => EmailText;
