import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../platform/lib/language.ts';
import { portalMessages } from './languages.ts';
import { signInMessages } from './sign-in/languages.ts';

/** `subscriptions.title` → its text. */
function flatten(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[path + key, inner] as [string, string]] : flatten(inner, `${path}${key}.`),
  );
}

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

const allIn = (language: Language) =>
  flatten({ ...portalMessages[language], signIn: signInMessages[language] });

const english = new Map(allIn('en'));

/** Keys whose text is the same word in another language. */
const SHARED = ['invoices.pdf', 'invoice.total', 'details.name', 'paging.label'];

test.each(LANGUAGES)('%s has every message, with the same places to fill in', (language) => {
  const messages = allIn(language);
  expect(messages.map(([key]) => key).sort()).toEqual([...english.keys()].sort());
  for (const [key, text] of messages) {
    expect([key, placesOf(text)]).toEqual([key, placesOf(english.get(key)!)]);
    expect([key, text.trim()]).toEqual([key, text]);
    expect([key, text]).not.toEqual([key, '']);
    const isTranslated = language === 'en' || SHARED.includes(key) || text !== english.get(key);
    expect([key, isTranslated]).toEqual([key, true]);
  }
});
