import type { SignInMessages } from './messages.ts';

export const en: SignInMessages = {
  title: 'Sign in to your account',
  text: 'Enter the e-mail address you use with {merchant}. We’ll send you a link that opens your account.',
  label: 'E-mail address',
  submit: 'Send me a link',
  problem: 'Please enter an e-mail address, such as name@example.com.',
  sentTitle: 'Check your e-mail',
  sentText:
    'If this address has an account with {merchant}, we have sent a link to it. The link works once, for 15 minutes.',
  notThere: 'Nothing there after a few minutes? Look in your spam folder, or try another address.',
  again: 'Try another address',
  newLink: 'Get a new link by e-mail',
  usedText: 'It has already been used or has expired. You can get a new one by e-mail.',
};
