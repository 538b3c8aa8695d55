import { badField } from '../../platform/lib/errors.ts';
import type { TaxId, TaxIdType } from './party.ts';

/** How each country's number is called in the library that knows their forms and check digits. */
const EU_NUMBERS: Record<string, readonly [country: string, name: string]> = {
  AT: ['AT', 'uid'],
  BE: ['BE', 'vat'],
  BG: ['BG', 'vat'],
  CY: ['CY', 'vat'],
  CZ: ['CZ', 'dic'],
  DE: ['DE', 'vat'],
  DK: ['DK', 'cvr'],
  EE: ['EE', 'kmkr'],
  EL: ['GR', 'vat'],
  ES: ['ES', 'nif'],
  FI: ['FI', 'alv'],
  FR: ['FR', 'tva'],
  HR: ['HR', 'oib'],
  HU: ['HU', 'anum'],
  IE: ['IE', 'vat'],
  IT: ['IT', 'iva'],
  LT: ['LT', 'pvm'],
  LU: ['LU', 'tva'],
  LV: ['LV', 'pvn'],
  MT: ['MT', 'vat'],
  NL: ['NL', 'btw'],
  PL: ['PL', 'nip'],
  PT: ['PT', 'nif'],
  RO: ['RO', 'cif'],
  SE: ['SE', 'vat'],
  SI: ['SI', 'ddv'],
  SK: ['SK', 'dph'],
  // Northern Ireland, for goods.
  XI: ['GB', 'vat'],
};

const OTHER_NUMBERS: Partial<Record<TaxIdType, readonly [country: string, name: string]>> = {
  gb_vat: ['GB', 'vat'],
  ch_vat: ['CH', 'vat'],
  no_vat: ['NO', 'mva'],
  us_ein: ['US', 'ein'],
  au_abn: ['AU', 'abn'],
  ca_gst: ['CA', 'gst'],
  in_gst: ['IN', 'gstin'],
};

/** Prefixes that are part of the number as people write it. */
const PREFIXES: Partial<Record<TaxIdType, string>> = { gb_vat: 'GB', no_vat: 'NO' };

/** A tax id in its one form, without spaces and dots. A wrong form or check digit is refused; nobody is asked. */
export async function checkTaxId(field: string, { type, value }: TaxId): Promise<TaxId> {
  if (type === 'other') return { type, value };
  const text = value.replace(/[\s./-]/g, '').toUpperCase();
  return { type, value: type === 'eu_vat' ? await euVat(field, text) : await national(field, type, text) };
}

async function euVat(field: string, text: string): Promise<string> {
  const prefix = text.slice(0, 2);
  const number = EU_NUMBERS[prefix === 'GR' ? 'EL' : prefix];
  if (!number) throw badField(field, 'must start with the prefix of a country of the EU, such as DE or EL');
  const compact = await compactOf(number, text.slice(2));
  if (compact === undefined) throw badField(field, `must be a VAT number of ${prefix}`);
  return `${prefix === 'GR' ? 'EL' : prefix}${compact}`;
}

async function national(field: string, type: TaxIdType, text: string): Promise<string> {
  const prefix = PREFIXES[type] ?? '';
  const compact = await compactOf(
    OTHER_NUMBERS[type]!,
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  );
  if (compact === undefined) throw badField(field, `must be a number of the type ${type}`);
  return prefix + compact;
}

async function compactOf(
  [country, name]: readonly [string, string],
  text: string,
): Promise<string | undefined> {
  // Loaded with the first tax id: it knows the numbers of the whole world, and takes a fifth of a second.
  const { stdnum } = await import('stdnum');
  const result = stdnum[country]![name]!.validate(text);
  return result.isValid ? result.compact : undefined;
}
