import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { advance, bring, newProject, newSession } from '../../test/support/billing.ts';
import { testService } from '../../test/support/service.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

test('200 filters by when intents succeeded, and by project', async () => {
  const service = await testService();
  const merchant = await service.createMerchant();
  const projects = [await newProject(merchant), await newProject(merchant)];
  const paid: string[] = [];
  for (const { id } of [...projects, projects[0]!]) {
    const session = await newSession(merchant, id, { amountCents: 500 });
    await newSession(merchant, id, { amountCents: 500 });
    await bring(service, merchant, session, 500);
    paid.unshift(session.paymentIntentId);
    await advance(service, 1, { isRead: false });
  }
  const ids = async (query: string) =>
    (await merchant.call('GET', `/api/merchants/intents?${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  const [last, second, first] = paid;
  const now = service.clock.now().getTime();
  const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString();
  expect(await ids(`succeededFrom=${daysAgo(4)}`)).toEqual([last, second, first]);
  expect(await ids(`succeededFrom=${daysAgo(1.5)}&limit=1`)).toEqual([last]);
  expect(await ids(`succeededTo=${daysAgo(1.5)}`)).toEqual([second, first]);
  expect(await ids(`succeededFrom=${daysAgo(2.5)}&succeededTo=${daysAgo(1.5)}`)).toEqual([second]);
  expect(await ids(`succeededFrom=${daysAgo(4)}&status=pending`)).toEqual([]);
  expect(await ids(`succeededFrom=${daysAgo(4)}&status=succeeded`)).toEqual([last, second, first]);
  const [own, other] = projects as [{ id: string }, { id: string }];
  expect(await ids(`projectId=${own.id}&succeededFrom=${daysAgo(4)}`)).toEqual([last, first]);
  expect((await ids(`projectId=${other.id}`)).length).toBe(2);
  expect(await ids(`projectId=${randomUUID()}`)).toEqual([]);
});
