import type { EmailChangeMessages } from './messages.ts';

export const en: EmailChangeMessages = {
  waiting: 'Waiting for you to confirm {email}, until {moment}',
  withdraw: 'Withdraw',
  withdrawn: 'Your e-mail address stays as it is.',
  sent: 'We have sent a link to {email}. Your address changes once you open it.',
  hint: 'We send reminders and receipts here. A new address counts once you open the link we send to it.',
  fixed: 'To change it, please contact {merchant}.',
  needed: 'Enter an e-mail address. To have it removed, please contact {merchant}.',
  tooMany: 'Too many new addresses for one day. Please try again tomorrow.',
  confirmTitle: 'Is this your e-mail address?',
  confirmText: 'Somebody with an account at {merchant} entered {email}. Confirm it if that was you.',
  confirmWarning:
    'If it wasn’t you, close this page: what you buy from {merchant} with this address could end up in their account.',
  confirmButton: 'Yes, confirm this address',
  doneTitle: 'Your address is confirmed',
  doneText: 'Your account with {merchant} now uses {email}.',
  deadTitle: 'This link no longer works',
  deadText:
    'It was used, withdrawn or replaced, or it has expired. You can enter the address again in your account.',
};
