import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../platform/lib/language.ts';
import { textsOf } from '../describe-invoice.ts';
import { reportMessages } from './report-languages.ts';

/** Texts that these languages write as English does. */
const SHARED = ['TEST', 'Total', 'Debit', 'Net'];

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'every text of a report is there in %s, and not in English',
  (language) => {
    const messages = reportMessages[language];
    expect(messages.language).toBe(language);
    const english = new Set(textsOf(reportMessages.en));
    const texts = textsOf(messages);
    expect(texts.filter((text) => text.trim() === '')).toEqual([]);
    expect(texts.filter((text) => english.has(text) && !SHARED.includes(text))).toEqual([]);
    expect(messages.headline('§')).toContain('§');
    expect(messages.moreInvoices('§')).toContain('§');
  },
);
