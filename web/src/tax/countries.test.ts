import { expect, test } from 'vitest';
import { requireCountry } from '../../../src/accounts/parties/country.ts';
import { COUNTRY_CODES, COUNTRY_OPTIONS, countryName } from './countries.ts';

test('the countries to choose from are those that the service accepts, each once and by its name', () => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const accepted = letters.flatMap((a) => letters.map((b) => a + b)).filter(isAccepted);
  expect(COUNTRY_CODES).toEqual(accepted);
  expect(new Set(COUNTRY_OPTIONS.map(({ label }) => label)).size).toBe(accepted.length);
  expect([countryName('DE'), COUNTRY_OPTIONS[0]!.value]).toEqual(['Germany', 'AF']);
});

function isAccepted(code: string): boolean {
  try {
    return requireCountry('country', code) === code;
  } catch {
    return false;
  }
}
