import type { LinkMessages } from './messages.ts';

export const en: LinkMessages = {
  seller: 'the seller',
  credits: 'Credits you receive',
  renews: 'Each renewal is a payment you confirm. Nothing is ever taken from your wallet by itself.',
  reference: 'Reference',
  form: {
    title: 'Your order',
    email: 'E-mail',
    emailHint: 'Where the seller can reach you about this payment.',
    referenceHint: 'The number the seller gave you, such as an order or customer number.',
    submit: 'Continue to payment',
    next: 'You pay in USDC on Solana, from your own wallet. Nothing is paid before you confirm it there.',
  },
  problems: {
    title: 'Please check',
    emailMissing: 'Please enter your e-mail address.',
    emailMalformed: 'This is not an e-mail address. It should look like name@example.com.',
    referenceMissing: 'Please enter the reference you were given.',
    referenceMalformed: 'At most 200 characters, without line breaks.',
  },
  notFound: {
    title: 'This payment link does not exist',
    text: 'The address may be incomplete, or the link was removed. Please ask the seller for it again.',
  },
  damaged: {
    title: 'This payment link is damaged',
    text: (merchant) =>
      `The reference in its address is longer than 200 characters or contains characters that cannot be kept. Please ask ${merchant} for a new link.`,
  },
  closed: {
    title: 'This payment link is closed',
    text: (merchant) => `It takes no more payments. Please ask ${merchant} for a new one.`,
  },
  refused: {
    title: 'This cannot be paid right now',
    text: (merchant) =>
      `Nothing was paid. At the moment ${merchant} cannot take this payment. Please let them know, or try again later.`,
    back: 'Try again',
  },
};
