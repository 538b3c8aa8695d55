import type { Tx } from '../platform/db/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { AppError } from '../platform/lib/errors.ts';
import { newId } from '../platform/lib/ids.ts';
import { hasActiveEndpoint } from '../webhooks/endpoint-queries.ts';
import { sampleOf } from './sample.ts';

export interface SendSample {
  merchantId: string;
  event: string;
  /** True to fail if no webhook would be sent. */
  requireUrl: boolean;
  now: Date;
}

/**
 * Writes a sample into the outbox, so that it is delivered like any other event. It is about an object that does not
 * exist, so no real object's sequence changes.
 */
export async function sendSample(tx: Tx, sample: SendSample): Promise<string> {
  const { merchantId, event, requireUrl, now } = sample;
  if (requireUrl && !(await hasActiveEndpoint(tx, merchantId))) throw new AppError('WEBHOOK_NOT_CONFIGURED');
  const { status, metadata, data } = sampleOf(event, () => newId(now), now);
  const objectId = newId(now);
  const written = {
    merchantId,
    event,
    objectType: 'sample',
    objectId,
    sequence: 1,
    status,
    previousStatus: null,
    orderingKey: objectId,
    ...(metadata && { metadata }),
    data,
  };
  const [eventId] = await appendEvents(tx, [written], now);
  return eventId!;
}
