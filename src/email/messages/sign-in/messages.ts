import type { EmailText } from '../messages.ts';

export type SignInText = (sender: string) => EmailText;
