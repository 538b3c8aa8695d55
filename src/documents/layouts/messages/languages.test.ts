import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../platform/lib/language.ts';
import { paperMessages } from './languages.ts';

/** Every text, with a sign where a value comes. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [value('§', '§'), value('§', '')] as string[];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function wordsOf(language: Language): Set<string> {
  const { language: _tag, ...messages } = paperMessages[language];
  const text = textsOf(messages).join(' ').toLowerCase().replaceAll('{name}', ' ');
  return new Set(text.match(/\p{L}{2,}/gu));
}

/** Words that these languages spell as English does. */
const SHARED: Record<Exclude<Language, 'en'>, string[]> = {
  de: ['an', 'code', 'test', 'usdc', 'us', 'in', 'online', 'link', 'am'],
  es: ['total', 'subtotal', 'usdc', 'real', 'no'],
  fr: ['date', 'test', 'total', 'code', 'transaction', 'usdc', 'dollars', 'on', 'client', 'sent', 'note'],
  ar: ['usdc'],
};

test.each(['de', 'es', 'fr', 'ar'] as const)('nothing is left in English in %s', (language) => {
  const english = wordsOf('en');
  const left = [...wordsOf(language)].filter((word) => english.has(word) && !SHARED[language].includes(word));
  expect(left).toEqual([]);
});

test('every text is there, and every value that it is given', () => {
  for (const language of LANGUAGES) {
    const messages = paperMessages[language];
    expect(messages.language).toBe(language);
    for (const text of textsOf(messages)) expect(text.trim()).not.toBe('');
    const { headlines, refundLines } = messages;
    for (const say of [
      headlines.paid,
      headlines.due,
      headlines.refunded,
      messages.tax,
      messages.taxContained,
    ]) {
      const said = say('§1', '§2');
      expect(said).toContain('§1');
      expect(said).toContain('§2');
    }
    for (const say of [headlines.draft, headlines.void, headlines.unpaid, refundLines.invoice])
      expect(say('§1')).toContain('§1');
    for (const line of ['paymentFor', 'unused', 'remaining'] as const)
      expect(messages.lines[line]).toContain('{name}');
  }
});
