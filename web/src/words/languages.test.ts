import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/platform/lib/language.ts';
import { collectSentences } from '../../collect-sentences.ts';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import { LANGUAGE_NAMES } from './language.ts';
import type { Words } from './t.ts';

const lists: Record<string, Words> = { ar, de, es, fr };
const { all, faults } = collectSentences();

const holesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();
const without = (holes: string[], hole: string) => holes.filter((each) => each !== hole);

test('every sentence is a literal, and a whole one', () => {
  expect(all.size).toBeGreaterThan(1000);
  expect(faults).toEqual([]);
});

test('every language of the pages has a list', () => {
  expect(['en', ...Object.keys(lists)].sort()).toEqual([...LANGUAGES].sort());
  expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES]);
});

describe.each(Object.entries(lists))('%s', (language, words) => {
  test('has every sentence, and none that nobody says: npm run words', () => {
    expect(Object.keys(words).sort()).toEqual([...all.keys()].sort());
  });

  test('each is translated, with the same places to fill in', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(words)) {
      const { one } = all.get(key) ?? {};
      if (one === undefined) {
        expect([key, typeof text]).toEqual([key, 'string']);
        expect([key, holesOf(text as string)]).toEqual([key, holesOf(key)]);
        expect([key, (text as string).trim() === text && text !== '']).toEqual([key, true]);
        continue;
      }
      const forms = text as Record<string, string>;
      expect([key, Object.keys(forms).sort()]).toEqual([key, [...pluralCategories].sort()]);
      for (const [form, said] of Object.entries(forms)) {
        // “one day” need not name its number.
        const [found, wanted] = form === 'other' ? [said, key] : [`${said}`, key];
        const compare = (each: string) =>
          form === 'other' ? holesOf(each) : without(holesOf(each), '{count}');
        expect([key, form, compare(found)]).toEqual([key, form, compare(wanted)]);
        expect([key, form, said.trim() === said && said !== '']).toEqual([key, form, true]);
      }
    }
  });
});
