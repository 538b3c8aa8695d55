import type { RefundMessages } from './messages.ts';

export const en: RefundMessages = {
  head: 'Your refund',
  number: 'Refund',
  address: 'Address',
  transaction: 'Transaction',
  sentAt: 'Sent',
  validUntil: 'Valid until',
  copy: 'Copy',
  copied: 'Copied',
  part: (sent) => `${sent} has already arrived. The rest is still to come.`,
  asking: {
    title: 'Where should your refund go?',
    text: (merchant) =>
      `${merchant} wants to send you this money in USDC on Solana. Tell them the address of your wallet.`,
  },
  form: {
    label: 'Solana address of your wallet',
    hint: 'In your wallet it is under “Receive”. Copy it, and compare its first and last characters.',
    warning:
      'Do not enter the deposit address of an exchange, unless it takes USDC on Solana at exactly this address. Money sent to an address for another token or network is lost.',
    submit: 'Use this address',
    change: 'Change the address',
    problem: 'Please check',
    missing: 'Enter the address of your wallet.',
    malformed: 'This is not a Solana address. It has 32 to 44 letters and digits.',
    unusable:
      'Nothing can be sent to this address. Enter the address of your own wallet, not of a token, a token account or a program.',
    unavailable: 'The network cannot be reached right now, and nothing was saved. Try again in a moment.',
  },
  wallet: {
    title: 'Or with a wallet in this browser',
    text: 'Sign with the wallet you paid with, and nobody needs to approve the address. Signing costs nothing and moves no money.',
    textUnknown: 'It fills in its address for you.',
    offer: 'Use {wallet}',
    connecting: 'Connecting to your wallet…',
    approve: 'Please sign the message in your wallet.',
    confirmed: 'Thank you. Your refund goes to the wallet you paid with.',
    refused: 'The wallet did not sign. Nothing was changed.',
    failed: 'The signature was not accepted, and nothing was changed. Enter the address instead.',
    other: 'We have filled in the address of this wallet. Check it and send the form.',
  },
  awaitingApproval: {
    title: 'Thank you. The address is saved.',
    text: (merchant) =>
      `${merchant} looks at it and then sends your refund. Until then you can still change it.`,
  },
  ready: {
    title: 'Your refund will be sent soon',
    text: (merchant) =>
      `The address is confirmed and can no longer be changed. ${merchant} sends the money next.`,
  },
  processing: {
    title: 'Your refund is on its way',
    text: () => 'The network is confirming it. This takes about 15 seconds.',
  },
  succeeded: {
    title: 'Your refund has arrived',
    text: (merchant) => `${merchant} has sent it to your address.`,
  },
  canceled: {
    title: 'This refund was canceled',
    text: (merchant) => `Nothing will be sent. If you did not expect this, please ask ${merchant}.`,
  },
  expired: {
    title: 'This refund has expired',
    text: (merchant) => `It was not sent in time. Please ask ${merchant} for a new one.`,
  },
};
