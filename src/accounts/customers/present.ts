import { MetadataView } from '../../platform/http/metadata-schema.ts';
import {
  Email,
  Flag,
  Int64,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { AddressView, Country, CustomerTaxIdsView } from '../parties/party-schema.ts';
import { type Customer, EMAIL_SOURCES } from './customer.ts';

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
  emailSource: Nullable(
    OneOf(
      EMAIL_SOURCES,
      'How the address is known: you set it, a link mailed to it was opened, or somebody typed it, which proves nothing.',
    ),
  ),
  mergedIntoCustomerId: Nullable(
    Uuid(
      'Whom they were merged into: that customer’s details and balances are shown, and can be changed there.',
    ),
  ),
});

export function presentCustomer({ merchantId: _, erasedAt: __, mergedIntoId, ...customer }: Customer) {
  return {
    ...customer,
    mergedIntoCustomerId: mergedIntoId,
    creditBalance: saturateInt64(customer.creditBalance),
    accountCreditCents: saturateInt64(customer.accountCreditCents),
  };
}
