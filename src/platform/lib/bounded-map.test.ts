import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('the oldest entry goes when one more comes, and setting a known key keeps all', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  map.set('c', 4);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
});

test('a value is made once', () => {
  const map = new BoundedMap<string, number>(2);
  expect([map.getOrMake('a', () => 1), map.getOrMake('a', () => 2)]).toEqual([1, 1]);
});

test('a renewed entry is the last to go', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).renew('a', 3).set('c', 4);
  expect([...map.keys()]).toEqual(['a', 'c']);
});
