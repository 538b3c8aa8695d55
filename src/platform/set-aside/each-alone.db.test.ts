import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testService } from '../../../test/support/service.ts';
import { createLog } from '../lib/log.ts';
import { eachAlone } from './each-alone.ts';

test('many failures of one merchant are three lines and a number; another merchant’s first is still a line', async () => {
  const { db, createMerchant } = await testService();
  const [one, other] = [await createMerchant('One'), await createMerchant('Other')];
  const lines: { merchantId: string; items?: number; msg: string }[] = [];
  const log = createLog('info', (line) => lines.push(JSON.parse(line)));
  const now = new Date();
  await eachAlone({ db, log }, 'test', now, async (alone) => {
    for (let i = 0; i < 20; i++)
      await alone({ merchantId: one.id, id: randomUUID() }, async () => {
        throw new Error('broken');
      });
    await alone({ merchantId: other.id, id: randomUUID() }, async () => {
      throw new Error('broken');
    });
  });
  const of = (id: string) => lines.filter(({ merchantId }) => merchantId === id);
  expect([of(one.id).length, of(other.id).length]).toEqual([4, 1]);
  expect(of(one.id).at(-1)).toMatchObject({ items: 20, msg: 'due work failed for many items' });
  expect(await db.query('select from set_aside_work')).toHaveLength(21);
});
