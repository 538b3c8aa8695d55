import { expect, test } from 'vitest';
import { isSameSeller } from './same-seller.ts';

const isSame = (one: string, two: string) =>
  isSameSeller({ legalName: one, country: 'DE' }, { legalName: two, country: 'DE' });

test.each([
  ['upper case', 'MÜLLER GMBH'],
  ['two spaces', 'Müller  GmbH'],
  ['a space at the end', 'Müller GmbH '],
  ['a non-breaking space', 'Müller\u00a0GmbH'],
  ['a narrow one', 'Müller\u202fGmbH'],
  ['a zero-width one at the end', 'Müller GmbH\u200b'],
  ['a soft hyphen', 'Mül\u00adler GmbH'],
  ['a mark that turns the direction', '\u200eMüller GmbH'],
  ['a byte order mark', 'Mül\ufeffler GmbH'],
  ['a tab', 'Müller\tGmbH'],
  ['letters put together', 'Mu\u0308ller GmbH'],
  ['full width', 'Ｍüller ＧｍｂＨ'],
])('a name is the same with %s', (_, name) => {
  expect(isSame('Müller GmbH', name)).toBe(true);
});

test('each form of ß is the same, also as ss', () => {
  for (const name of ['Strasse AG', 'STRASSE AG', 'STRAẞE AG', 'straße ag']) {
    expect([name, isSame('Straße AG', name)]).toEqual([name, true]);
  }
});

test('other letters, other signs and other countries are others', () => {
  for (const name of ['Muller GmbH', 'Müller GmbH & Co. KG', 'Müller AG', 'Müller-GmbH']) {
    expect([name, isSame('Müller GmbH', name)]).toEqual([name, false]);
  }
  const seller = { legalName: 'Müller GmbH', country: 'DE' };
  expect(isSameSeller(seller, { ...seller, country: 'AT' })).toBe(false);
});
