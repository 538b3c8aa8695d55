import type { Tx } from '../platform/db/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { findLastSequence } from '../platform/events/queries.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { lockForChange } from './change-endpoints.ts';
import { presentEndpoint } from './endpoint-present.ts';
import { TEST_EVENT } from './event-types.ts';

/** Writes an event for this endpoint alone: signed, delivered, retried and logged like any other. */
export async function testEndpoint(tx: Tx, ref: Ref, now: Date): Promise<string> {
  const endpoint = await lockForChange(tx, ref);
  const { merchantId, id, isActive } = endpoint;
  if (!isActive)
    throw new AppError('WEBHOOK_NOT_CONFIGURED', { message: 'This webhook endpoint is switched off.' });
  const sequence = (await findLastSequence(tx, merchantId, id)) + 1;
  const data = { webhookEndpoint: presentEndpoint(endpoint) };
  const object = { objectType: 'webhook_endpoint', objectId: id, orderingKey: id, sequence };
  const [eventId] = await appendEvents(
    tx,
    [{ merchantId, event: TEST_EVENT, ...object, status: 'active', previousStatus: null, data }],
    now,
  );
  return eventId!;
}
