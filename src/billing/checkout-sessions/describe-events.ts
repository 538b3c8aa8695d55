import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import { BillingEventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { SessionView } from './present.ts';
import { SESSION_STATUSES } from './session.ts';

const MEANINGS = {
  'checkout.session.created': 'A checkout session was opened.',
  'checkout.session.processing': 'Enough money is confirmed on chain, but not final yet.',
  'checkout.session.completed': 'The session was paid in full: deliver what was bought.',
  'checkout.session.expired': `The deadline passed unpaid. Full payment within ${PAYABLE_DAYS_AFTER_EXPIRY} days still completes it.`,
  'checkout.session.canceled': 'The session was canceled before anything was paid.',
  'checkout.session.updated': 'The session changed in another way, such as a part of the money arriving.',
};

const body = BillingEventBody('CheckoutSessionEvent', Object.keys(MEANINGS), SESSION_STATUSES, {
  checkoutSession: SessionView,
});

export const sessionWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
