import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Int64, Nullable, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { BALANCE_STATUSES } from './posting.ts';

const MEANINGS = {
  'customer.balance_credited': 'Credit was added: a top-up was paid, or money became account credit.',
  'customer.balance_debited': 'Credit was spent: on usage, or on an invoice.',
  'customer.balance_adjusted': 'You changed a balance by hand.',
  'customer.balance_low': 'Prepaid credits fell to the project’s lowBalanceCredits.',
  'customer.balance_depleted': 'Prepaid credits reached zero.',
};

const body = EventBody(
  'CustomerBalanceEvent',
  Object.keys(MEANINGS),
  BALANCE_STATUSES,
  Shape('CustomerBalanceEventData', {
    projectId: Uuid(),
    customerId: Uuid(),
    externalCustomerId: Nullable(Text()),
    entryId: Uuid('The balance entry.'),
    deltaCredits: Int64(),
    creditBalance: Int64(),
    deltaCents: Int64(),
    accountCreditCents: Int64(),
    reason: Nullable(Text()),
    invoiceId: Nullable(Uuid()),
    usageRecordId: Nullable(Uuid('The usage that cost the credits.')),
  }),
);

export const balanceWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
