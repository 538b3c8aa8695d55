import type { AddressMessages } from './messages.ts';

export const en: AddressMessages = {
  email_confirmation: ({ sender, email }) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      `Somebody with an account at ${sender} entered ${email} as their e-mail address. Please confirm it if that was you. The link works once, for 24 hours.`,
      `If it wasn’t you, don’t confirm it: what you buy from ${sender} with this address could end up in their account. Nothing happens if you ignore this e-mail.`,
    ],
    action: 'Confirm this address',
  }),
  email_change: ({ sender, email }) => ({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      `In your account with ${sender}, a new e-mail address was entered: ${email}. It replaces this one as soon as it is confirmed from that mailbox.`,
      `If that was you, there is nothing to do here. If it wasn’t, please contact ${sender} now, or withdraw the change in your account.`,
    ],
  }),
};
