import { expect, test } from 'vitest';
import { compareNotices, compareWritten, gapsOf } from './written.ts';

const intent = (key: string, id = `id of ${key}`) => ({ kind: 'intent', key, id });

test('what was acknowledged and is there once is neither lost nor doubled, whatever else is there', () => {
  const stored = [intent('a'), intent('b'), intent('never answered')];
  expect(compareWritten([intent('a'), intent('b')], stored)).toEqual({ lost: [], doubled: [] });
});

test('a write that is gone is lost, and so is one that is there under another id', () => {
  const stored = [intent('b', 'another id'), { ...intent('c'), kind: 'usage' }];
  expect(compareWritten([intent('a'), intent('b'), intent('c')], stored).lost).toEqual([
    'intent a',
    'intent b',
    'intent c',
  ]);
});

test('a write that is there twice is doubled, acknowledged or not', () => {
  const stored = [intent('a'), intent('a', 'again'), intent('b'), intent('b', 'again')];
  expect(compareWritten([intent('a')], stored)).toEqual({ lost: [], doubled: ['intent a', 'intent b'] });
});

test('a number left out and a number given twice are gaps', () => {
  expect(gapsOf([])).toEqual([]);
  expect(gapsOf([3, 1, 2])).toEqual([]);
  expect(gapsOf([1, 2, 4, 5, 5])).toEqual([3, 5]);
  expect(gapsOf([2])).toEqual([1]);
});

test('an event that never arrived, one that arrived with another state, and one that the books do not know', () => {
  const events = ['a', 'b', 'c'].map((id) => ({ id, body: `${id} succeeded` }));
  const arrived = [events[0]!, events[0]!, { id: 'b', body: 'b pending' }, { id: 'd', body: 'd succeeded' }];
  expect(compareNotices(events, arrived)).toEqual({ undelivered: ['c'], wrong: ['b', 'd'] });
});
