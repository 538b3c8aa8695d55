import { expect, test } from 'vitest';
import { RowSums } from './row-sums.ts';

async function sumOf(...chunks: string[]): Promise<string> {
  const sums = new RowSums();
  const parts = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  for await (const _ of sums.through(parts()));
  return sums.total();
}

test('rows in another order, and cut elsewhere, are the same rows', async () => {
  const wanted = await sumOf('one\ntwo\nthree\n');
  expect(await sumOf('three\none\ntwo\n')).toBe(wanted);
  expect(await sumOf('th', 'ree\no', 'ne\n', 'two\n')).toBe(wanted);
});

test('a row that is another, missing, doubled or moved to its neighbour is noticed', async () => {
  const wanted = await sumOf('one\ntwo\n');
  for (const text of ['one\nTwo\n', 'one\n', 'one\ntwo\ntwo\n', 'one\ntwo\n\n', 'onet\nwo\n', ''])
    expect(await sumOf(text)).not.toBe(wanted);
});
