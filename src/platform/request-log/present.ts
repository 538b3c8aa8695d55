import { Int32, Nullable, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import type { LoggedRequest } from './logged-request.ts';

export const RequestLogView = Shape('RequestLog', {
  id: Uuid('The request, as in its X-Request-Id header and as `traceId` of an error.'),
  keyId: Uuid('The API key.'),
  method: Text(),
  path: Text({ max: 500, description: 'Without the query.' }),
  status: Int32({ min: 100, max: 599 }),
  durationMs: Int32({ min: 0 }),
  errorCode: Nullable(Text()),
  errorMessage: Nullable(Text({ min: 0, max: 500, lines: true })),
  callerTraceId: Nullable(Text({ description: 'The trace id of the `traceparent` header.' })),
  idempotencyKey: Nullable(Text({ min: 0 })),
  requestBody: Nullable(
    Text({
      min: 0,
      max: 4_000,
      lines: true,
      description:
        'Of a request that failed: its JSON, truncated, with `[12 characters]` for what people wrote.',
    }),
  ),
  createdAt: Timestamp(),
});

export function presentRequest({ merchantId: _, ...view }: LoggedRequest) {
  return view;
}
