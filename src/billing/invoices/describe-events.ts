import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import { BillingEventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { ISSUED_STATUSES } from './invoice.ts';
import { InvoiceView } from './present.ts';

const MEANINGS = {
  'invoice.created': 'An invoice was opened and given its number.',
  'invoice.upcoming': 'A reminder: an open invoice is due soon.',
  'invoice.paid':
    'The invoice was paid in full, or accepted as paid by you: `waivedCents` says what was waived.',
  'invoice.underpaid': 'A part of the invoice was paid.',
  'invoice.refunded': 'Money paid for the invoice was sent back, in full or in part.',
  'invoice.overdue': 'The invoice was not paid by its due date.',
  'invoice.voided':
    'The invoice was canceled. What was paid of it becomes account credit of its customer, and is listed.',
  'invoice.uncollectible': `The invoice’s deadline passed unpaid. It can still be paid for ${PAYABLE_DAYS_AFTER_EXPIRY} days.`,
  'invoice.updated':
    'Any other change: another tip or promotion code, or money that came for what is over, or is no longer the invoice’s.',
};

const body = BillingEventBody('InvoiceEvent', Object.keys(MEANINGS), ISSUED_STATUSES, {
  invoice: InvoiceView,
});

export const invoiceWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
