import { expect, test } from 'vitest';
import { newProject, newSession } from '../../../test/support/billing.ts';
import { testService } from '../../../test/support/service.ts';
import { listSessionsById } from './queries.ts';

test('sessions are found by their ids for their own merchant alone', async () => {
  const service = await testService();
  const [shop, stranger] = [await service.createMerchant(), await service.createMerchant()];
  const { id } = await newSession(shop, (await newProject(shop)).id);
  expect(await listSessionsById(service.db, shop.id, [id])).toMatchObject([{ id }]);
  expect(await listSessionsById(service.db, stranger.id, [id])).toEqual([]);
});
