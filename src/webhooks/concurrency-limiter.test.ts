import { expect, test } from 'vitest';
import { Windows } from './concurrency-limiter.ts';

const quick = { error: null, durationMs: 20 };
const hanging = { error: 'timed out', durationMs: 10_000 };
const room = (windows: Windows) => windows.rooms().known.get('a') ?? windows.rooms().usual;

test('a healthy endpoint earns room, a hanging one is left with two at a time', () => {
  const windows = new Windows();
  expect(room(windows)).toBe(8);
  for (let i = 0; i < 500; i++) {
    windows.start('a');
    windows.end('a', quick);
  }
  expect(room(windows)).toBe(128);
  for (let i = 0; i < 10; i++) {
    windows.start('a');
    windows.end('a', hanging);
  }
  expect(room(windows)).toBe(2);
  windows.start('a');
  windows.start('a');
  expect([windows.full(), windows.underWay]).toEqual([['a'], 2]);
});

test('quick failures take one place each, down to two, so that what succeeds beside them keeps its room', () => {
  const windows = new Windows();
  const refused = { error: 'HTTP 500', durationMs: 20 };
  for (const outcome of [quick, refused, quick, quick, refused]) {
    windows.start('a');
    windows.end('a', outcome);
  }
  expect(room(windows)).toBe(9);
  for (let i = 0; i < 20; i++) {
    windows.start('a');
    windows.end('a', refused);
  }
  expect(room(windows)).toBe(2);
});

test('an answer after more than three seconds halves the room; one to three change nothing', () => {
  const windows = new Windows();
  windows.start('a');
  windows.end('a', { error: null, durationMs: 2_000 });
  expect(room(windows)).toBe(8);
  windows.start('a');
  windows.end('a', { error: null, durationMs: 4_000 });
  expect(room(windows)).toBe(4);
  windows.start('a');
  windows.giveBack('a');
  expect([room(windows), windows.underWay]).toEqual([4, 0]);
});

test('it does not remember every merchant forever', () => {
  const windows = new Windows();
  for (let i = 0; i < 10_002; i++) {
    windows.start(`m${i}`);
    windows.end(`m${i}`, hanging);
  }
  expect(windows.rooms().known.size).toBeLessThan(10);
});
