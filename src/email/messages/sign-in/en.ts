import type { SignInText } from './messages.ts';

export const en: SignInText = (sender) => ({
  subject: 'Your sign-in link',
  paragraphs: [
    `Here is the link to your account with ${sender}. It works once, for 15 minutes.`,
    'Anyone who has it can open your account, so don’t share it. If you didn’t ask for it, you can ignore this e-mail.',
  ],
  action: 'Open my account',
});
