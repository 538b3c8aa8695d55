import type { CommonMessages } from './messages.ts';

export const en: CommonMessages = {
  skip: 'Skip to content',
  language: 'Language',
  poweredBy: 'Powered by',
  newTab: 'Pay in a new tab',
  sandbox: 'Sandbox: this is test money. It has no real value.',
  errors: {
    notFound: {
      title: 'Page not found',
      text: 'The link may be incomplete. Go back to where you found it and open it again.',
    },
    gone: { title: 'This is no longer available', text: 'Please ask the seller for a new link.' },
    tooMany: {
      title: 'One moment, please',
      text: 'There have been too many requests from your network. Please try again shortly.',
    },
    unavailable: {
      title: 'We’re temporarily unavailable',
      text: 'Nothing is lost. Any payment you sent will be found as soon as we’re back.',
    },
    broken: { title: 'Something went wrong on our side', text: 'We’ve been notified. Please try again.' },
    refused: { title: 'That didn’t work', text: 'Please go back and try again.' },
  },
  contact: 'Contact the seller',
  terms: 'Terms',
  tryAgain: 'Try again',
  trace: 'If you contact support, mention this reference:',
};
