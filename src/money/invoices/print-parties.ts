import type { Address, Buyer, Seller, TaxId } from '../../accounts/parties/party.ts';
import { toPercent } from '../../accounts/tax-rates/tax-rate.ts';
import type { DocumentParty, DocumentTax, InvoiceDocument } from '../../platform/pdf/invoice-document.ts';
import type { InvoiceTax } from './invoice.ts';
import type { RateTotal } from './taxes-of.ts';

/** What a paper says of seller, buyer and tax. */
export function printTax(
  tax: InvoiceTax | null,
  taxes: readonly RateTotal[],
): Pick<InvoiceDocument, 'seller' | 'buyer' | 'taxNotes' | 'taxes'> {
  return {
    seller: tax?.seller ? printSeller(tax.seller) : null,
    buyer: tax?.buyer ? printBuyer(tax.buyer) : null,
    taxNotes: tax?.notes ?? [],
    taxes: taxes.map(printRate),
  };
}

function printRate({ name, percentPpm, behavior, taxableCents, taxCents }: RateTotal): DocumentTax {
  const isContained = behavior === 'inclusive';
  return { name, percent: toPercent(percentPpm), isContained, taxableCents, taxCents };
}

function printSeller({ legalName, address, country, taxIds, registrationNumber }: Seller): DocumentParty {
  const registered = registrationNumber === null ? [] : [`Registration number ${registrationNumber}`];
  return { name: legalName, lines: [...placeOf(address, country), ...registered, ...taxIds.map(idText)] };
}

function printBuyer({ name, email, address, country, taxIds }: Buyer): DocumentParty {
  return { name, lines: [...placeOf(address, country), email ?? '', ...taxIds.map(idText)].filter(Boolean) };
}

function placeOf(address: Address | null, country: string | null): string[] {
  const { line1 = '', line2 = '', postalCode = '', city = '', state = '' } = address ?? {};
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [line1, line2, town, state, countryName(country)].filter(
    (line) => line !== null && line !== '',
  ) as string[];
}

/** In English, as the rest of the paper. */
function countryName(code: string | null): string {
  if (code === null) return '';
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
}

function idText({ type, value }: TaxId): string {
  return `${type.endsWith('_vat') ? 'VAT ID' : 'Tax ID'} ${value}`;
}
