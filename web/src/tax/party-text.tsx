import type { Customer, CustomerTaxId, TaxId } from '@florin/sdk';

export const TAX_ID_NAMES: Record<TaxId['type'], string> = {
  eu_vat: 'EU VAT number',
  gb_vat: 'UK VAT number',
  ch_vat: 'Swiss VAT number',
  no_vat: 'Norwegian VAT number',
  us_ein: 'US EIN',
  au_abn: 'Australian ABN',
  ca_gst: 'Canadian GST/HST number',
  in_gst: 'Indian GSTIN',
  other: 'Other',
};

/** As on an envelope. */
export function AddressText({ address }: { address: Customer['address'] }) {
  if (!address) return <>–</>;
  const { line1, line2, postalCode, city, state } = address;
  const town = [postalCode, city].filter(Boolean).join(' ');
  return (
    <span style={{ whiteSpace: 'pre-line' }}>{[line1, line2, town, state].filter(Boolean).join('\n')}</span>
  );
}

export function TaxIdsText({ taxIds }: { taxIds: readonly (TaxId | CustomerTaxId)[] }) {
  if (taxIds.length === 0) return <>–</>;
  return (
    <span style={{ whiteSpace: 'pre-line' }}>
      {taxIds
        .map(
          (taxId) =>
            `${TAX_ID_NAMES[taxId.type]} ${taxId.value}${'status' in taxId ? ` (${taxId.status})` : ''}`,
        )
        .join('\n')}
    </span>
  );
}
