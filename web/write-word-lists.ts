import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectSentences, type Sentence } from './collect-sentences.ts';

/**
 * `npm run words`: brings the word lists up to the sources. A new sentence gets an empty place, which a test refuses until
 * it is translated; one that nobody says any more is left out.
 */
const { all, faults } = collectSentences();
for (const fault of faults) console.error(fault);
for (const language of ['de', 'es', 'fr', 'ar']) {
  const path = join(import.meta.dirname, `src/words/${language}.json`);
  const known = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const keys = [...all.keys()].sort((one, other) => (one < other ? -1 : 1));
  const words = Object.fromEntries(
    keys.map((key) => [key, known[key] ?? emptyPlace(all.get(key)!, language)]),
  );
  writeFileSync(path, `${JSON.stringify(words, null, 2)}\n`);
  const missing = keys.filter((key) => known[key] === undefined).length;
  console.log(`${language}: ${keys.length} sentences, ${missing} of them new`);
}

function emptyPlace({ one }: Sentence, language: string): unknown {
  if (one === undefined) return '';
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return Object.fromEntries(pluralCategories.map((form) => [form, '']));
}
