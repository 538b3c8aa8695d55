import {
  HandlerValidated,
  Int32,
  List,
  Nullable,
  Optional,
  Shape,
  Text,
  Uuid,
} from '../../platform/http/schema.ts';

export const Metric = () => ({
  ...Text({ max: 64, description: 'What is counted: lower case letters, digits and _ . : -' }),
  pattern: '^[a-z0-9_.:-]+$',
});

export const RecordUsageBody = Shape(
  'RecordUsageRequest',
  {
    projectId: Uuid(),
    metric: Metric(),
    quantity: Int32({ min: 1, max: 1_000_000_000 }),
    customerId: Optional(
      Nullable(Uuid('This or subscriptionId is required if the project’s usageCredits list the metric.')),
    ),
    subscriptionId: Optional(Nullable(Uuid('Implies its customer: the record has both.'))),
    idempotencyKey: Text({ description: 'Identifies this usage record in its project, forever.' }),
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      metric: 'api.calls',
      quantity: 3,
      customerId: '019b76da-a800-7000-8000-000000000002',
      idempotencyKey: 'request-7f3a',
    },
  },
);

export const MAX_BATCH = 1_000;
export const BATCH_LIMIT_BYTES = 1024 * 1024;

export const RecordUsageBatchBody = Shape('RecordUsageBatchRequest', {
  records: List(HandlerValidated(RecordUsageBody), { min: 1, max: MAX_BATCH }),
});
