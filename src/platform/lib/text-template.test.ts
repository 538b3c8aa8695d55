import { expect, test } from 'vitest';
import { kept, newGap, type Template, templateOf } from './text-template.ts';

const [a, b] = [newGap(), newGap()];

test('a text is written with other words where its gaps are', () => {
  const write = templateOf(JSON.stringify({ one: a, text: 'Größe "5"', two: `x${b}` }), [a, b]);
  expect(write('1', '2')).toBe('{"one":"1","text":"Größe \\"5\\"","two":"x2"}');
  expect(write('', '')).toBe('{"one":"","text":"Größe \\"5\\"","two":"x"}');
  expect(templateOf('plain', [])()).toBe('plain');
});

test('a gap that is missing, out of order or there twice is refused when the template is made', () => {
  expect(() => templateOf('none', [a])).toThrow('missing');
  expect(() => templateOf(`${b} ${a}`, [a, b])).toThrow('out of order');
  expect(() => templateOf(`${a} ${a}`, [a])).toThrow('twice');
  expect(() => templateOf(`${a} ${b} ${a}`, [a, b])).toThrow('twice');
});

test('each is made once', () => {
  const templates = new Map<string, Template>();
  let made = 0;
  const make = () => templateOf(`${++made}`, []);
  expect([kept(templates, 'x', make)(), kept(templates, 'x', make)(), kept(templates, 'y', make)()]).toEqual([
    '1',
    '1',
    '2',
  ]);
});
