import { expect, test } from 'vitest';
import { cleanText } from './clean-text.ts';

test.each([
  ['control characters', 'a\u0000b\u0007c\u001b[31md\u009f', 'abc[31md'],
  ['line breaks and tabs', ' a\r\n\tb\u2028c\u00a0\u3000d ', 'a b c d'],
  ['direction overrides and marks', 'invoice\u202egnp\u202c \u2066x\u2069\u200f\u061c', 'invoicegnp x'],
  ['invisible spaces', 'a\u200bb\ufeffc\u2060d', 'abcd'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['letters in parts', 'e\u0301', 'é'],
  ['a tower of marks', `a${'\u0315'.repeat(100)}b`, `a${'\u0315'.repeat(8)}b`],
  ['joiners, which scripts and emoji need', 'می\u200cخواهم 👩\u200d👧', 'می\u200cخواهم 👩\u200d👧'],
])('%s', (_case, text, cleaned) => {
  expect(cleanText(text)).toBe(cleaned);
});
