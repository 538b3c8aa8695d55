import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testService } from '../../../test/support/service.ts';
import { newId } from '../lib/ids.ts';
import { appendEvents } from './append-events.ts';

test('events keep the order they are given in, however many ids one millisecond has seen', async () => {
  const service = await testService();
  const { id: merchantId } = await service.createMerchant();
  const now = new Date();
  const orderingKey = randomUUID();
  const events = Array.from({ length: 5_000 }, (_, i) => ({
    ...{ merchantId, event: 'sample.sent', objectType: 'sample', objectId: orderingKey, sequence: i + 1 },
    ...{ status: 'sent', previousStatus: null, orderingKey, data: {} },
  }));
  newId(now);
  await service.db.transaction((tx) => appendEvents(tx, events, now));
  const rows = await service.db.query<{ sequence: number }>('select sequence from events order by ordinal');
  expect(rows.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence));
});
