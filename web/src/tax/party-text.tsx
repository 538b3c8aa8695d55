import type { Customer, CustomerTaxId, TaxId } from '@florin/sdk';
import { t } from '../words/t.ts';

export const TAX_ID_NAMES: Record<TaxId['type'], string> = {
  eu_vat: t('EU VAT number'),
  gb_vat: t('UK VAT number'),
  ch_vat: t('Swiss VAT number'),
  no_vat: t('Norwegian VAT number'),
  us_ein: t('US EIN'),
  au_abn: t('Australian ABN'),
  ca_gst: t('Canadian GST/HST number'),
  in_gst: t('Indian GSTIN'),
  other: t('Other'),
};

/** Address as on an envelope. */
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
  return <span style={{ whiteSpace: 'pre-line' }}>{taxIds.map(taxIdText).join('\n')}</span>;
}

function taxIdText(taxId: TaxId | CustomerTaxId): string {
  const holes = { type: TAX_ID_NAMES[taxId.type], number: taxId.value };
  if (!('status' in taxId)) return `${holes.type} ${holes.number}`;
  return taxId.status === 'verified'
    ? t('{type} {number} (verified)', holes)
    : t('{type} {number} (unverified)', holes);
}
