import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Nullable, OneOf, Shape, Text } from '../../platform/http/schema.ts';
import type { ExceptionEvent } from './change-exception.ts';
import { EXCEPTION_STATUSES } from './exception.ts';
import { ExceptionView } from './present.ts';

const MEANINGS: Record<ExceptionEvent, string> = {
  'exception.created':
    'Money arrived that needs a person’s review: unmatched, late, too much, or another token. Dust (less than a cent) is not announced.',
  'exception.resolved': 'It was linked to a payment, returned, kept, or became account credit of a customer.',
  'exception.reopened': 'A decision was undone: it needs a person’s review again.',
};

const status = OneOf(EXCEPTION_STATUSES);

const body = EventBody(
  'ExceptionEvent',
  Object.keys(MEANINGS),
  EXCEPTION_STATUSES,
  Shape('ExceptionEventData', {
    status,
    previousStatus: Nullable(status),
    txSignature: Text(),
    exception: ExceptionView,
  }),
);

export const exceptionWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
