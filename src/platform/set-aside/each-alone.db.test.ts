import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testService } from '../../../test/support/service.ts';
import { createLog } from '../lib/log.ts';
import type { Ref } from '../lib/ref.ts';
import { eachAlone } from './each-alone.ts';
import { notSetAside } from './not-set-aside.ts';
import { countSetAside } from './queries.ts';

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

test('a merchant with hundreds of broken items takes turns with others, and has its own good one done in the end', async () => {
  const { db, createMerchant } = await testService();
  const [one, other] = [await createMerchant('One'), await createMerchant('Other')];
  const broken = Array.from({ length: 450 }, () => ({ merchantId: one.id, id: randomUUID() }));
  const [own, good] = [
    { merchantId: one.id, id: randomUUID() },
    { merchantId: other.id, id: randomUUID() },
  ];
  const due = [...broken, own, good];
  const done = new Set<string>();
  const tried: string[] = [];
  const list = (now: Date) =>
    db.query<Ref>(
      `select merchant_id as "merchantId", id from unnest($1::uuid[], $2::uuid[]) with ordinality as d(merchant_id, id, n)
        where id <> all($3) and ${notSetAside('test', '$4', { id: 'd.id', merchantId: 'd.merchant_id' })} order by n limit 50`,
      [due.map(({ merchantId }) => merchantId), due.map(({ id }) => id), [...done], now],
    );
  const run = (now: Date) =>
    eachAlone({ db, log: undefined }, 'test', now, async (alone) => {
      for (let items = await list(now); items.length > 0; items = await list(now))
        for (const item of items)
          await alone(item, async () => {
            tried.push(item.id);
            if (broken.some(({ id }) => id === item.id)) throw new Error('broken');
            done.add(item.id);
          });
    });
  const start = new Date();
  await run(start);
  expect([tried.indexOf(good.id) >= 0, tried.length <= 101]).toEqual([true, true]);
  expect((await countSetAside(db)).count).toBe(100);
  for (let turn = 1; !done.has(own.id); turn++) {
    expect(turn).toBeLessThan(20);
    const before = tried.length;
    await run(new Date(start.getTime() + turn * 11_000));
    expect(tried.length - before).toBeLessThanOrEqual(101);
  }
});
