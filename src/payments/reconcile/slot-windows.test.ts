import { expect, test } from 'vitest';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import { OutOfOrder, slotWindows, sortedPages } from './slot-windows.ts';

const info = (name: string): SignatureInfo => ({
  signature: name,
  slot: Number.parseInt(name, 10),
  blockTime: null,
  isFinal: true,
});

/** Pages of transactions that are named by their slots: `9a 9b`. */
async function* pagesOf(...pages: string[]) {
  for (const page of pages) yield page.split(' ').filter(Boolean).map(info);
}

const windowsOf = async (pages: AsyncIterable<readonly SignatureInfo[]>) =>
  (await Array.fromAsync(slotWindows(pages, 20))).map(({ infos, after, through }) => [
    infos.map(({ signature }) => signature).join(' '),
    after,
    through,
  ]);

test('windows have whole slots, and together every slot', async () => {
  expect(await windowsOf(pagesOf('9a 8a 7a', '7b 7c', '7d 5a', ''))).toEqual([
    ['9a 8a', 7, 20],
    ['7a 7b 7c 7d', 5, 7],
    ['5a', -1, 5],
  ]);
  expect(await windowsOf(pagesOf())).toEqual([['', -1, 20]]);
});

test('what is listed twice is there once, and a page in reverse is put in order', async () => {
  expect(await windowsOf(pagesOf('7a 8a 9a 9a', '8a 7a 6a'))).toEqual([
    ['9a 8a', 7, 20],
    ['7a', 6, 7],
    ['6a', -1, 6],
  ]);
});

test('what comes too late needs the list as a whole', async () => {
  const pages = () => pagesOf('9a 7a', '6a 5a', '8a 4a');
  await expect(windowsOf(pages())).rejects.toThrow(OutOfOrder);
  expect((await windowsOf(sortedPages(pages()))).map(([names]) => names)).toEqual(['9a 8a 7a 6a 5a', '4a']);
});
