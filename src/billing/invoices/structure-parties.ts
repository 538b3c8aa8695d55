import type { Buyer, Seller, TaxId } from '../../accounts/parties/party.ts';
import type { StructuredParty } from '../../documents/e-invoice/structured-document.ts';
import { cleanXmlText } from '../../documents/e-invoice/xml.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { InvoiceTax } from './invoice.ts';

/** Categories in which the standard wants a VAT number of the seller, and of the buyer. */
const NEEDS_SELLER_VAT = new Set(['K', 'G']);
const NEEDS_BUYER_VAT = new Set(['AE', 'K']);
const NOT_SUBJECT = 'O';

export interface StructuredParties {
  seller: StructuredParty;
  buyer: StructuredParty;
}

/**
 * Seller and buyer for a document of these categories. A document that lacks what the standard requires is refused,
 * naming all of it: what is not known must not be made up.
 */
export function structureParties(
  tax: InvoiceTax | null,
  categories: ReadonlySet<string>,
  projectId: string,
): StructuredParties {
  const { seller = null, buyer = null } = tax ?? {};
  const missing = missingOf(seller, buyer, categories);
  if (!seller || !buyer || missing.length > 0) {
    throw new AppError('INVALID_STATE', {
      message: `There is no XML of this without ${missing.join(', ')}. Invoices keep seller and buyer as they were when they were created.`,
    });
  }
  return categories.has(NOT_SUBJECT)
    ? withoutVat(sellerOf(seller, projectId), buyerOf(buyer))
    : { seller: sellerOf(seller, projectId), buyer: buyerOf(buyer) };
}

/** True if a seller has a number to charge tax under. */
export function isTaxable(seller: Seller | null): boolean {
  return (seller?.taxIds ?? []).some(({ value }) => cleanXmlText(value) !== '');
}

function missingOf(seller: Seller | null, buyer: Buyer | null, categories: ReadonlySet<string>): string[] {
  const isSubject = !categories.has(NOT_SUBJECT);
  const any = (wanted: ReadonlySet<string>) => [...categories].some((category) => wanted.has(category));
  return [
    ...(seller && cleanXmlText(seller.legalName) !== '' ? [] : ['seller']),
    ...(seller && isSubject && !isTaxable(seller) ? ['seller.taxIds'] : []),
    ...(seller && isTaxable(seller) && any(NEEDS_SELLER_VAT) && !vatIdOf(seller.taxIds, seller.country)
      ? ['seller.taxIds (a VAT number)']
      : []),
    ...(nameOf(buyer) === '' ? ['buyer.name'] : []),
    ...(buyer?.country ? [] : ['buyer.country']),
    ...(any(NEEDS_BUYER_VAT) && !(buyer && vatIdOf(buyer.taxIds, buyer.country))
      ? ['buyer.taxIds (a VAT number)']
      : []),
  ];
}

function sellerOf(seller: Seller, projectId: string): StructuredParty {
  const vatId = vatIdOf(seller.taxIds, seller.country);
  const other = seller.taxIds.find(({ value }) => value !== vatId && cleanXmlText(value) !== '');
  const { registrationNumber } = seller;
  return {
    ...placeOf(seller),
    name: seller.legalName,
    // A seller can be recognized by something in any case.
    id: vatId === null && !registrationNumber ? (other?.value ?? projectId) : null,
    registrationNumber,
    vatId,
    taxNumber: other?.value ?? null,
    country: seller.country,
    email: null,
  };
}

function buyerOf(buyer: Buyer): StructuredParty {
  return {
    ...placeOf(buyer),
    name: nameOf(buyer),
    id: null,
    registrationNumber: null,
    vatId: vatIdOf(buyer.taxIds, buyer.country),
    taxNumber: null,
    country: buyer.country!,
    email: buyer.email,
  };
}

/**
 * Removes VAT numbers, which a document that is not subject to tax must not name; the seller's still identifies it.
 */
function withoutVat(seller: StructuredParty, buyer: StructuredParty): StructuredParties {
  return {
    seller: { ...seller, id: seller.id ?? seller.vatId, vatId: null },
    buyer: { ...buyer, vatId: null },
  };
}

function nameOf(buyer: Buyer | null): string {
  return cleanXmlText(buyer?.name ?? '') || cleanXmlText(buyer?.email ?? '');
}

function placeOf({ address }: Pick<Buyer, 'address'>) {
  const { line1 = null, line2 = null, postalCode = null, city = null, state = null } = address ?? {};
  return { line1, line2, postalCode, city, state };
}

/** VAT number of the party, that of its own country first; all of these begin with the code of a country. */
function vatIdOf(taxIds: readonly TaxId[], country: string | null): string | null {
  const numbers = taxIds.filter(({ type }) => type.endsWith('_vat')).map(({ value }) => value);
  const prefix = country === 'GR' ? 'EL' : (country ?? '');
  return numbers.find((value) => value.startsWith(prefix)) ?? numbers[0] ?? null;
}
