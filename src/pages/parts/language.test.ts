import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emailMessages } from '../../email/messages/languages.ts';
import { refundMessages } from '../../email/messages/refund/languages.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { chooseLanguage } from './language.ts';

test.each([
  [undefined, undefined, 'en'],
  [undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'tlh, en;q=0.3, fr-CH;q=0.8', 'fr'],
  [undefined, 'de;q=0, es;q=0.1', 'es'],
  [undefined, 'zz;q=x, ,;;;', 'en'],
  ['ar', 'de', 'ar'],
  ['xx', 'de', 'de'],
  ['DE-ch', undefined, 'de'],
])('chosen %s, browser %s: %s', (chosen, header, language) => {
  expect(chooseLanguage(chosen, header)).toBe(language);
});

test.each(LANGUAGES)('%s: e-mails are written in it, and the guide names it', (language) => {
  expect(emailMessages[language].language).toBe(language);
  expect(refundMessages[language].language).toBe(language);
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language)!;
  expect(readFileSync(join(import.meta.dirname, '../../../docs/hosted-pages.md'), 'utf8')).toContain(name);
});
