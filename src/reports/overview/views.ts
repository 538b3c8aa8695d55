import { Country } from '../../accounts/parties/party-schema.ts';
import { CATEGORY } from '../../billing/tax-rates/present.ts';
import { TAX_CATEGORIES } from '../../billing/tax-rates/tax-rate.ts';
import { Count, Int64, Nullable, OneOf, Percent, Shape, Text, Uuid } from '../../platform/http/schema.ts';

const NET = 'Without the tax.';

export const TaxRowView = Shape('TaxReportRow', {
  country: Nullable(Country('The country of the rate; null for what is not taxed.')),
  category: Nullable(OneOf(TAX_CATEGORIES, CATEGORY)),
  percent: Nullable(Percent()),
  invoicesCount: Count('Invoices with something at this rate.'),
  invoicedNetCents: Int64({ description: NET }),
  invoicedTaxCents: Int64(),
  creditNotesCount: Count(),
  creditedNetCents: Int64({ description: NET }),
  creditedTaxCents: Int64(),
  netCents: Int64({ description: 'What was invoiced minus what was credited and waived, without the tax.' }),
  taxCents: Int64({ description: 'What was invoiced minus what was credited and waived.' }),
  grossCents: Int64({ description: 'Both together.' }),
  waivedNetCents: Int64({ description: 'Of invoices accepted as paid with less, without the tax.' }),
  waivedTaxCents: Int64(),
});

export const TopProductView = Shape('TopProduct', {
  productId: Uuid(),
  name: Text(),
  salesCents: Int64({ description: 'On paid invoices, after discounts, without tax, before refunds.' }),
  salesCount: Count('How many were sold: the quantities of those lines.'),
});

export const TopCustomerView = Shape('TopCustomer', {
  customerId: Uuid(),
  name: Nullable(Text()),
  email: Nullable(Text({ max: 320 })),
  externalCustomerId: Nullable(Text()),
  netCents: Int64(),
  paymentsCount: Count(),
});
