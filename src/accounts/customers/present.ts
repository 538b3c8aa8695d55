import { MetadataView } from '../../platform/http/metadata-schema.ts';
import { Email, Flag, Int64, Nullable, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { AddressView, Country, CustomerTaxIdsView } from '../parties/party-schema.ts';
import type { Customer } from './customer.ts';

export const CustomerView = Shape('Customer', {
  id: Uuid(),
  projectId: Uuid(),
  externalCustomerId: Nullable(Text({ description: 'Your own id for the customer, unique in the project.' })),
  email: Nullable(Email()),
  name: Nullable(Text()),
  language: Nullable(
    Text({ max: 35, description: 'The customer’s language, such as en or de-AT, used for e-mails.' }),
  ),
  creditBalance: Int64({ description: 'Prepaid units, from top-ups.' }),
  accountCreditCents: Int64({ description: 'Money applied to the next renewal or plan change.' }),
  createdAt: Timestamp(),
  metadata: MetadataView,
  address: Nullable(AddressView),
  country: Nullable(Country()),
  isBusiness: Flag('Whether they buy for a business, which decides about tax.'),
  taxIds: CustomerTaxIdsView,
});

export function presentCustomer({ merchantId: _, ...customer }: Customer) {
  return {
    ...customer,
    creditBalance: saturateInt64(customer.creditBalance),
    accountCreditCents: saturateInt64(customer.accountCreditCents),
  };
}
