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
    problems: {
      missing: 'Enter the address of your wallet.',
      malformed: 'This is not a Solana address. It has 32 to 44 letters and digits, and no spaces.',
      truncated:
        'This address is incomplete. Copy all of it with the copy button of your wallet: it has 32 to 44 characters.',
      other_network: 'This is an address of another network. Enter the address of your wallet on Solana.',
      name: 'This is a name, not an address. Enter the address it stands for.',
      unavailable: 'The network cannot be reached right now, and nothing was saved. Try again in a moment.',
      program:
        'This is the address of a program, and money sent there is lost. Enter the address of your own wallet.',
      mint: 'This is the address of a token itself, not of a wallet. Enter the address of your own wallet.',
      token_account:
        'This is your USDC account, not your wallet. Enter the address of the wallet it belongs to.',
      other_token_account:
        'This account holds another token and cannot take USDC. Enter the address of your own wallet.',
      no_wallet:
        'This is a special address of the network and belongs to nobody. Enter the address of your own wallet.',
      merchant: 'This is the address of the seller. Enter the address of your own wallet.',
      reference:
        'This address only marks a payment or a refund, and money sent there is lost. Enter the address of your own wallet.',
      frozen:
        'The USDC account of this wallet is frozen and cannot receive anything. Enter the address of another wallet.',
      no_account:
        'This address belongs to a program and has never held USDC. Enter the address of your own wallet.',
    },
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
