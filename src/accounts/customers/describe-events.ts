import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Nullable, OneOf, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { CUSTOMER_STATUSES, type CustomerEvent } from './announce-customers.ts';
import { CustomerView } from './present.ts';

const MEANINGS: Record<Exclude<CustomerEvent, 'customer.deleted'>, string> = {
  'customer.created': 'A customer was created: by you, or by a checkout of somebody new.',
  'customer.updated': 'A customer’s details changed.',
};

const status = OneOf(CUSTOMER_STATUSES);

const body = EventBody(
  'CustomerEvent',
  Object.keys(MEANINGS),
  CUSTOMER_STATUSES,
  Shape('CustomerEventData', {
    projectId: Uuid(),
    status,
    previousStatus: Nullable(status),
    customerId: Uuid(),
    externalCustomerId: Nullable(Text()),
    customer: CustomerView,
  }),
);

const DELETED: CustomerEvent = 'customer.deleted';

const deletedBody = EventBody(
  'CustomerDeletedEvent',
  [DELETED],
  CUSTOMER_STATUSES,
  Shape('CustomerDeletedEventData', {
    projectId: Uuid(),
    status,
    previousStatus: Nullable(status),
    customerId: Uuid(),
  }),
);

export const customerWebhooks: WebhookDescription[] = [
  ...Object.entries(MEANINGS).map(([event, summary]) => ({ event, summary, body })),
  {
    event: DELETED,
    summary:
      'A customer was deleted. The event carries only the customer’s ID. Delete your own data about them as well.',
    body: deletedBody,
  },
];
