import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { PAYOUT_EVENT, PAYOUT_STATUSES } from './announce-payout.ts';

export const payoutWebhooks: WebhookDescription[] = [
  {
    event: PAYOUT_EVENT,
    summary:
      'A payout address was changed, or a change was requested or canceled, as `status` says. Sent only to webhook endpoints that name it.',
    body: EventBody(
      'PayoutAddressEvent',
      [PAYOUT_EVENT],
      PAYOUT_STATUSES,
      Shape('PayoutAddressEventData', {
        status: OneOf(PAYOUT_STATUSES),
        projectId: Nullable(Uuid('Null: the merchant’s own address.')),
        projectName: Nullable(Text()),
        from: Nullable(Text({ max: 64 })),
        to: Nullable(Text({ max: 64, description: 'Null: none, or for a project the merchant’s own.' })),
        takesEffectAt: Nullable(Timestamp('When a requested change takes effect; null: it has.')),
        actor: Text({ description: 'As the audit log names them.' }),
      }),
    ),
  },
];
