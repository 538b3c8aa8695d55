import { customerWebhooks } from '../accounts/customers/describe-events.ts';
import { payoutWebhooks } from '../accounts/payouts/describe-events.ts';
import { sessionWebhooks } from '../billing/checkout-sessions/describe-events.ts';
import { invoiceWebhooks } from '../billing/invoices/describe-events.ts';
import { balanceWebhooks } from '../billing/ledger/describe-events.ts';
import { subscriptionWebhooks } from '../billing/subscriptions/describe-events.ts';
import { refundRequestWebhooks } from '../counter/sales/describe-events.ts';
import { intentWebhooks } from '../intents/describe-events.ts';
import { refundWebhooks } from '../payments/refunds/describe-events.ts';
import { exceptionWebhooks } from '../payments/transfers/describe-events.ts';
import { endpointWebhooks } from '../webhooks/describe-events.ts';

/** Every webhook there is: described in openapi.json and docs/events.md, and sent as a sample by the sandbox. */
export const webhooks = [
  ...intentWebhooks,
  ...invoiceWebhooks,
  ...sessionWebhooks,
  ...subscriptionWebhooks,
  ...customerWebhooks,
  ...balanceWebhooks,
  ...refundWebhooks,
  ...refundRequestWebhooks,
  ...exceptionWebhooks,
  ...payoutWebhooks,
  ...endpointWebhooks,
];
