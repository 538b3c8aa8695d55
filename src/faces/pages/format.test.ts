import { expect, test } from 'vitest';
import { formatMonth, formatUsd } from './format.ts';
import { LANGUAGES } from './language.ts';

test('dollars are exact at any size, as each language writes them', () => {
  expect(formatUsd(9223372036854775807n, 'en')).toBe('$92,233,720,368,547,758.07');
  expect(formatUsd(5n, 'en')).toBe('$0.05');
  expect(formatUsd(-1050n, 'de')).toBe('-10,50\u00a0$');
});

test('in Arabic an amount is isolated left to right, so that its signs stay in place', () => {
  for (const cents of [3000n, -1000n]) {
    const text = formatUsd(cents, 'ar');
    expect(text.at(0)).toBe('\u2066');
    expect(text.at(-1)).toBe('\u2069');
    expect(text).toMatch(cents < 0n ? /-10\.00/ : /30\.00/);
    expect(text).not.toMatch(/[\u061c\u200e\u200f]/);
  }
});

test('a month is that of UTC, in western digits', () => {
  const last = new Date('2026-11-30T23:59:59Z');
  expect(formatMonth(last, 'en')).toBe('November 2026');
  for (const language of LANGUAGES) expect(formatMonth(last, language)).toContain('2026');
});
