import { expect, test } from 'vitest';
import { checkTaxId } from './check-tax-id.ts';
import type { TaxIdType } from './party.ts';

/** One of each country that passes its own check digits. */
const VALID = [
  'ATU13585627',
  'BE0428759497',
  'BG175074752',
  'CY10259033P',
  'CZ25123891',
  'DE136695976',
  'DK13585628',
  'EE100931558',
  'EL094259216',
  'ESA28015865',
  'FI20774740',
  'FR40303265045',
  'HR33392005961',
  'HU12892312',
  'IE6433435F',
  'IT00743110157',
  'LT119511515',
  'LU15027442',
  'LV40003521600',
  'MT11679112',
  'NL004495445B01',
  'PL8567346215',
  'PT501964843',
  'RO18547290',
  'SE123456789701',
  'SI50223054',
  'SK2022749619',
  'XI980780684',
];

const check = (type: TaxIdType, value: string) => checkTaxId('taxIds.0.value', { type, value });

test.each(VALID)('%s is a VAT number, and one that differs by a digit is not', async (value) => {
  expect(await check('eu_vat', value)).toEqual({ type: 'eu_vat', value });
  // The digits after a letter in a Dutch number count companies: they check nothing.
  const at = value.startsWith('NL') ? 10 : value.search(/\d(?=\D*$)/);
  const wrong = `${value.slice(0, at)}${(Number(value[at]) + 1) % 10}${value.slice(at + 1)}`;
  await expect(check('eu_vat', wrong)).rejects.toThrow('taxIds.0.value must be');
});

test('spaces, dots, small letters and GR for Greece are the same number', async () => {
  expect(await check('eu_vat', ' de 136 695.976 ')).toMatchObject({ value: 'DE136695976' });
  expect(await check('eu_vat', 'GR094259216')).toMatchObject({ value: 'EL094259216' });
  expect(await check('gb_vat', 'gb 980 7806 84')).toMatchObject({ value: 'GB980780684' });
  expect(await check('gb_vat', '980780684')).toMatchObject({ value: 'GB980780684' });
});

test.each([
  ['ch_vat', 'CHE-107.787.577 IVA', 'CHE107787577IVA'],
  ['no_vat', 'NO 995 525 828 MVA', 'NO995525828MVA'],
  ['us_ein', '04-2103594', '042103594'],
  ['au_abn', '83 914 571 673', '83914571673'],
  ['ca_gst', '12302 6635 RT 0001', '123026635RT0001'],
  ['in_gst', '27AAPFU0939F1ZV', '27AAPFU0939F1ZV'],
  ['other', 'anything at all', 'anything at all'],
] as const)('%s takes %s', async (type, value, stored) => {
  expect(await check(type, value)).toEqual({ type, value: stored });
});

test.each([
  ['eu_vat', '136695976'],
  ['eu_vat', 'US136695976'],
  ['eu_vat', 'DE'],
  ['eu_vat', 'DE136695976; drop'],
  ['gb_vat', 'GB1'],
  ['us_ein', 'abc'],
] as const)('%s refuses %s', async (type, value) => {
  await expect(check(type, value)).rejects.toThrow('taxIds.0.value must');
});
