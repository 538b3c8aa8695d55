import { expect, test } from 'vitest';
import type { TaxRate } from '../tax-rates/tax-rate.ts';
import { decideTax, type TaxParties, UNTAXED } from './tax.ts';
import { taxNotes } from './tax-notes.ts';

const rate = (id: string, country: string, percentPpm: number, isDefault = true) => ({
  ...{ id, country, percentPpm, isDefault, name: 'VAT' },
  category: (percentPpm === 0 ? 'E' : 'S') as TaxRate['category'],
});
const RATES = [
  rate('de', 'DE', 190_000),
  rate('fr', 'FR', 200_000),
  rate('de-low', 'DE', 70_000, false),
  rate('free', 'DE', 0, false),
];
const business = (country: string, value: string) => ({
  country,
  isBusiness: true,
  taxIds: [{ type: 'eu_vat' as const, value }],
});
const person = (country: string | null) => ({ country, isBusiness: false, taxIds: [] });
const by = (buyer: TaxParties['buyer'], taxRateId: string | null = null, seller: string | null = 'DE') =>
  decideTax(
    { taxBehavior: 'exclusive', taxRateId },
    { seller: seller === null ? null : { country: seller }, buyer, rates: RATES },
  );

test('nothing is charged where a price says nothing about tax', () => {
  expect(decideTax(UNTAXED, { seller: { country: 'DE' }, buyer: person('DE'), rates: RATES })).toBeNull();
});

test('the default of the buyer’s country, or of the seller’s where the buyer is unknown or in the EU', () => {
  expect(by(person('FR'))).toEqual({
    ...{ taxRateId: 'fr', name: 'VAT', percentPpm: 200_000, country: 'FR', category: 'S' },
    behavior: 'exclusive',
  });
  expect(by(null)?.taxRateId).toBe('de');
  expect(by(person(null))?.taxRateId).toBe('de');
  expect(by(person('ES'))?.taxRateId).toBe('de');
  expect(by(person('US'))).toBeNull();
  expect(by(person('DE'), null, null)?.taxRateId).toBe('de');
  expect(by(person(null), null, null)).toBeNull();
  expect(by(person('ES'), null, 'US')).toBeNull();
});

test('a price’s own rate is charged to everyone but businesses that account for it themselves', () => {
  expect(by(person('US'), 'de-low')?.taxRateId).toBe('de-low');
  expect(by(business('FR', 'FR40303265045'), 'de-low')?.category).toBe('AE');
  expect(by(business('FR', 'FR40303265045'), 'free')?.taxRateId).toBe('free');
});

test('reverse charge is for businesses in another country of the EU with a VAT number of that country', () => {
  expect(by(business('FR', 'FR40303265045'))).toMatchObject({
    ...{ taxRateId: null, percentPpm: 0, category: 'AE', country: 'FR', behavior: 'exclusive' },
  });
  const contained = { taxBehavior: 'inclusive', taxRateId: null } as const;
  const parties = { seller: { country: 'DE' }, buyer: business('FR', 'FR40303265045'), rates: RATES };
  // A tax of nothing is the same contained or added, and an invoice says it once.
  expect(decideTax(contained, parties)).toEqual(by(parties.buyer));
  expect(by(business('GR', 'EL094259216'))?.category).toBe('AE');
  expect(by(business('DE', 'DE136695976'))?.category).toBe('S');
  expect(by(business('FR', 'DE136695976'))?.category).toBe('S');
  expect(by({ ...business('FR', 'FR40303265045'), isBusiness: false })?.category).toBe('S');
  expect(by(business('FR', 'FR40303265045'), null, 'US')?.category).toBe('S');
  expect(by(business('FR', 'FR40303265045'), null, null)?.category).toBe('S');
});

test('notes are in the buyer’s language, each once', () => {
  const charged = by(business('FR', 'FR40303265045'));
  expect(taxNotes([charged, null, charged], 'de-AT')).toEqual([
    'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
  ]);
  const all = ['en', 'de', 'es', 'fr', 'ar'].flatMap((language) => taxNotes([charged], language));
  expect(new Set(all).size).toBe(5);
  expect(taxNotes([charged], 'fi')).toEqual(taxNotes([charged], null));
  expect(taxNotes([by(person('DE')), null], 'en')).toEqual([]);
});
