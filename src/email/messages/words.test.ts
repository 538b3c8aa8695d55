import { expect, test } from 'vitest';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** The word for a renewal in each language, which the first invoice after a trial must not contain. */
const RENEWAL = /renew|verläng|renov|renuev|renouvel|تجديد|يتجدد/i;

test.each([en, de, es, fr, ar])(
  '$language: an unpaid first invoice is not called a renewal',
  ({ emails }) => {
    const dates = { dueAt: 'today', endsAt: 'tomorrow', isOverdue: false };
    const facts = { sender: 'Shop', number: 'INV-1', due: '$5.00', ...dates };
    for (const kind of ['past_due', 'canceled'] as const) {
      const { subject, paragraphs } = emails[kind](facts);
      expect([subject, ...paragraphs].join(' ')).not.toMatch(RENEWAL);
    }
    expect(emails.renewal(facts).paragraphs.join(' ')).toMatch(RENEWAL);
  },
);
