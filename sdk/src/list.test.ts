import { expect, test } from 'vitest';
import { type Answered, withLastResponse } from './last-response.ts';
import { List, type Page } from './list.ts';

/** Seven items in pages of three, and every cursor that was requested. */
function sevenItems(start?: string) {
  const asked: (string | undefined)[] = [];
  const list = new List<number>(async (cursor) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const data = [0, 1, 2, 3, 4, 5, 6].slice(from, from + 3);
    const hasMore = from + 3 < 7;
    const page: Page<number> = { data, hasMore, nextCursor: hasMore ? String(from + 3) : null };
    return withLastResponse(page, new Response()) as Answered<Page<number>>;
  }, start);
  return { list, asked };
}

test('nothing is asked before it is used', () => {
  expect(sevenItems().asked).toEqual([]);
});

test('await gives the first page, page() too, and both are promises to combine', async () => {
  const { list, asked } = sevenItems();
  expect(await list).toEqual({ data: [0, 1, 2], hasMore: true, nextCursor: '3' });
  expect((await Promise.all([list, list.page()]))[1]).toEqual(await list);
  expect(asked).toEqual([undefined, undefined, undefined, undefined]);
});

test('for await walks every item, and asks no further than it is read', async () => {
  const { list, asked } = sevenItems();
  const seen: number[] = [];
  for await (const item of list) seen.push(item);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(asked).toEqual([undefined, '3', '6']);
  const partly = sevenItems();
  for await (const item of partly.list) if (item === 3) break;
  expect(partly.asked).toEqual([undefined, '3']);
});

test('it begins where told, page by page when wanted', async () => {
  const pages: number[][] = [];
  for await (const page of sevenItems('2').list.pages()) pages.push(page.data);
  expect(pages).toEqual([
    [2, 3, 4],
    [5, 6],
  ]);
});

test('toArray holds no more than asked for', async () => {
  const { list, asked } = sevenItems();
  expect(await list.toArray({ limit: 3 })).toEqual([0, 1, 2]);
  expect(asked).toEqual([undefined]);
  expect(await list.toArray({ limit: 100 })).toHaveLength(7);
  expect(await sevenItems().list.toArray({ limit: 0 })).toEqual([]);
});

test('an error comes through, also to a catch', async () => {
  const broken = new List<number>(() => Promise.reject(new Error('no')), undefined);
  await expect(broken).rejects.toThrow('no');
  await expect(broken.toArray({ limit: 1 })).rejects.toThrow('no');
  expect(await broken.then(undefined, (error) => (error as Error).message)).toBe('no');
});
