import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { Int32, List, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { BATCH_LIMIT_BYTES, RecordUsageBatchBody, RecordUsageBody } from './bodies.ts';
import { presentRecorded, RecordedUsageView } from './present.ts';
import { usageReadRoutes } from './read-routes.ts';
import { recordBatch } from './record-batch.ts';
import { recordTogether } from './record-together.ts';
import { draftRecord, type UsageRecorder } from './record-usage.ts';
import type { Recorded } from './usage.ts';

const BatchView = Shape('RecordedUsageBatch', {
  results: List(
    Shape('RecordedUsageResult', {
      status: Int32({ description: 'The response the record would have got on its own.' }),
      record: Optional(RecordedUsageView),
      error: Optional(Shape('RecordedUsageError', { code: Text(), message: Text() })),
    }),
  ),
});

export interface UsageRoutes {
  db: Database;
  clock: Clock;
  recorder: UsageRecorder;
}

export function usageRoutes(app: App, { db, clock, recorder }: UsageRoutes): void {
  billingRoute(app, {
    method: 'POST',
    path: '/usage',
    id: 'recordUsage',
    sdk: 'usage.record',
    assistant: 'write',
    tag: 'Usage',
    summary: 'Record usage',
    description:
      'Repeating an `idempotencyKey` returns the first record with `duplicate: true` and counts nothing. If the project’s `usageCredits` list the metric, the customer’s prepaid credits are debited.',
    scopes: ['billing:write'],
    verified: true,
    body: RecordUsageBody,
    idempotency: 'text',
    rate: 'usage',
    success: { status: 200, schema: RecordedUsageView, description: 'The record.' },
    errors: ['BAD_REQUEST', 'INSUFFICIENT_BALANCE', 'INVALID_STATE'],
    async handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const draft = draftRecord(merchantId, body, now);
      if (idempotencyKey === undefined) return presentRecorded(recordedOf(await recorder.record([draft])));
      const request = { merchantId, operation: 'recordUsage', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const recorded = recordedOf(await recordTogether(tx, [draft], now));
        return { status: 200, text: serialize(presentRecorded(recorded)) };
      });
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/usage/batch',
    id: 'recordUsageBatch',
    sdk: 'usage.recordBatch',
    assistant: { withheld: 'Programs report usage in bulk; use recordUsage for a single record.' },
    repeatable: true,
    tag: 'Usage',
    summary: 'Record usage in bulk',
    description:
      'Up to 1,000 records, 1 MiB at most. Each is recorded or refused on its own, and `results` has them in order. Sending a batch again is safe: every record has its own key.',
    scopes: ['billing:write'],
    verified: true,
    body: RecordUsageBatchBody,
    bodyLimitBytes: BATCH_LIMIT_BYTES,
    success: { status: 200, schema: BatchView, description: 'One result for each record.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal, body }) {
      const call = { merchantId: principal.merchantId, items: body.records, now: clock.now() };
      const outcomes = await recordBatch(recorder, app.projectRequests, call);
      return {
        results: outcomes.map((outcome) =>
          outcome instanceof AppError
            ? { status: outcome.status, error: { code: outcome.code, message: outcome.message } }
            : { status: 200, record: presentRecorded(outcome) },
        ),
      };
    },
  });

  usageReadRoutes(app, { db });
}

function recordedOf([outcome]: (Recorded | AppError)[]): Recorded {
  if (outcome instanceof AppError) throw outcome;
  return outcome!;
}
