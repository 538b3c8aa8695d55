import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../platform/lib/language.ts';
import { portalMessages } from './languages.ts';

/** Words for a renewal in each language; the first payment after a trial is none. */
const RENEWAL = /renew|verläng|renov|renuev|renouvel|تجديد|يتجدد/i;

test.each(LANGUAGES)('%s: a first payment that is overdue is not called a renewal', (language) => {
  const { states, change, cancel } = portalMessages[language];
  for (const text of [states.pastDue, states.returnOpen, states.endedUnpaid, change.payFirst, cancel.now])
    expect(text).not.toMatch(RENEWAL);
  expect(states.nextPayment).toMatch(RENEWAL);
});
