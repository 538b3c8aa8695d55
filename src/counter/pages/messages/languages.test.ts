import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../platform/lib/language.ts';
import { tillMessages } from './languages.ts';

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

const english = new Map(Object.entries(tillMessages.en));

/** Keys whose text is the same word in another language. */
const SHARED = ['pair_code', 'total'];

test.each(LANGUAGES)('%s has every message, with the same places to fill in', (language) => {
  const messages = Object.entries(tillMessages[language]);
  expect(messages.map(([key]) => key).sort()).toEqual([...english.keys()].sort());
  for (const [key, text] of messages) {
    expect([key, placesOf(text)]).toEqual([key, placesOf(english.get(key)!)]);
    expect([key, text.trim()]).toEqual([key, text]);
    expect([key, text]).not.toEqual([key, '']);
    const isTranslated = language === 'en' || SHARED.includes(key) || text !== english.get(key);
    expect([key, isTranslated]).toEqual([key, true]);
  }
});

test('the script asks for no message that there is not', () => {
  const folder = join(import.meta.dirname, '../../../pages/parts/browser');
  const scripts = readdirSync(folder).filter((name) => name.startsWith('till'));
  const asked = scripts.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\bt\('(\w+)'/g)].map(([, key]) => key!),
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter((key) => !english.has(key))).toEqual([]);
});
