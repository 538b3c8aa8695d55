import type { Address, Buyer, Seller, TaxId } from '../../accounts/parties/party.ts';
import type {
  DocumentParty,
  DocumentTax,
  InvoiceDocument,
} from '../../documents/layouts/invoice-document.ts';
import { paperMessages } from '../../documents/layouts/messages/languages.ts';
import type { Language } from '../../platform/lib/language.ts';
import { toPercent } from '../tax-rates/tax-rate.ts';
import type { InvoiceTax } from './invoice.ts';
import { isOnSomething, isReverseCharge, type RateTotal } from './taxes-of.ts';

/** The parts of a paper about seller, buyer and tax. */
export function printTax(
  tax: InvoiceTax | null,
  taxes: readonly RateTotal[],
  language: Language,
): Pick<InvoiceDocument, 'seller' | 'buyer' | 'taxNotes' | 'taxes'> {
  return {
    seller: tax?.seller ? printSeller(tax.seller, language) : null,
    buyer: tax?.buyer ? printBuyer(tax.buyer, language) : null,
    taxNotes: tax?.notes ?? [],
    taxes: taxes.filter(isOnSomething).map((total) => printRate(total, language)),
  };
}

function printRate(total: RateTotal, language: Language): DocumentTax {
  const { percentPpm, behavior, taxableCents, taxCents } = total;
  const name = isReverseCharge(total) ? paperMessages[language].reverseCharge : total.name;
  const isContained = behavior === 'inclusive';
  return { name, percent: toPercent(percentPpm), isContained, taxableCents, taxCents };
}

function printSeller(seller: Seller, language: Language): DocumentParty {
  const { legalName, address, country, taxIds, registrationNumber } = seller;
  const { parties } = paperMessages[language];
  const registered =
    registrationNumber === null ? [] : [`${parties.registrationNumber} ${registrationNumber}`];
  const ids = taxIds.map((id) => idText(id, language));
  return { name: legalName, lines: [...placeOf(address, country, language), ...registered, ...ids] };
}

function printBuyer({ name, email, address, country, taxIds }: Buyer, language: Language): DocumentParty {
  const ids = taxIds.map((id) => idText(id, language));
  return { name, lines: [...placeOf(address, country, language), email ?? '', ...ids].filter(Boolean) };
}

function placeOf(address: Address | null, country: string | null, language: Language): string[] {
  const { line1 = '', line2 = '', postalCode = '', city = '', state = '' } = address ?? {};
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [line1, line2, town, state, countryName(country, language)].filter(
    (line) => line !== null && line !== '',
  ) as string[];
}

/** In the language of the paper. */
function countryName(code: string | null, language: Language): string {
  if (code === null) return '';
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}

function idText({ type, value }: TaxId, language: Language): string {
  const { vatId, taxId } = paperMessages[language].parties;
  return `${type.endsWith('_vat') ? vatId : taxId} ${value}`;
}
