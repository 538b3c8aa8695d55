import { expect, test } from 'vitest';
import { chooseLanguage } from './language.ts';

test.each([
  [undefined, undefined, 'en'],
  [undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'it, en;q=0.3, fr-CH;q=0.8', 'fr'],
  [undefined, 'de;q=0, es;q=0.1', 'es'],
  [undefined, 'zz;q=x, ,;;;', 'en'],
  ['ar', 'de', 'ar'],
  ['xx', 'de', 'de'],
  ['DE-ch', undefined, 'de'],
])('chosen %s, browser %s: %s', (chosen, header, language) => {
  expect(chooseLanguage(chosen, header)).toBe(language);
});
