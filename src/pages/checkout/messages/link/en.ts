import type { LinkMessages } from './messages.ts';

export const en: LinkMessages = {
  seller: 'the seller',
  credits: 'Credits you receive',
  renews: 'Each renewal is a payment you confirm. We never charge your wallet automatically.',
  reference: 'Reference',
  open: 'Choose your amount',
  form: {
    title: 'Your order',
    amount: 'Amount in US dollars',
    otherAmount: 'Other amount in US dollars',
    amountHint: ({ min, max }) => (max === undefined ? `From ${min}.` : `From ${min} to ${max}.`),
    email: 'E-mail',
    emailHint: 'So the seller can contact you about this payment.',
    referenceHint: 'The number the seller gave you, e.g. an order or customer number.',
    submit: 'Continue to payment',
    next: 'You pay in USDC on Solana from your own wallet. You’ll confirm the payment there.',
    startTrial: 'Start free trial',
    trialNext:
      'You don’t pay now and don’t need a wallet yet. Before the trial ends, we’ll ask you to confirm the first payment.',
  },
  problems: {
    title: 'Please check your details',
    amount: ({ min, max }) =>
      max === undefined
        ? `Please enter an amount of ${min} or more.`
        : `Please enter an amount from ${min} to ${max}.`,
    amountAmbiguous:
      'That could be read as two different amounts. Please write it without a thousands separator, such as 1250 or 1250.00.',
    emailMissing: 'Please enter your e-mail address.',
    emailMalformed: 'Enter a valid e-mail address, such as name@example.com.',
    referenceMissing: 'Please enter the reference you were given.',
    referenceMalformed: 'Use at most 200 characters and no line breaks.',
  },
  notFound: {
    title: 'This payment link doesn’t exist',
    text: 'The link may be incomplete or may have been deleted. Please ask the seller for a new one.',
  },
  damaged: {
    title: 'This payment link is damaged',
    text: (merchant) =>
      `The reference in the link is longer than 200 characters or contains invalid characters. Please ask ${merchant} for a new link.`,
  },
  closed: {
    title: 'This payment link is closed',
    text: (merchant) => `It no longer accepts payments. Please ask ${merchant} for a new one.`,
  },
  held: {
    title: 'It’s being bought right now',
    text: 'Someone else is paying for the last one. If they don’t, it’s offered here again, usually within the hour. You haven’t been charged.',
    back: 'Check again',
  },
  refused: {
    title: 'We can’t take this payment right now',
    text: (merchant) =>
      `You haven’t been charged. ${merchant} can’t accept this payment at the moment. Please let them know or try again later.`,
    back: 'Try again',
  },
};
