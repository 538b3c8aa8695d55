import { Flag, List, Name, Nullable, OneOf, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { TAX_ID_STATUSES, TAX_ID_TYPES } from './party.ts';

const MAX_TAX_IDS = 10;

export const Country = (description = 'A country code as in ISO 3166-1, such as DE.') =>
  Text({ min: 2, max: 2, pattern: '^[A-Za-z]{2}$', description });

const line = (max = 255) => Text({ max });

export const AddressBody = Shape('AddressRequest', {
  line1: line(),
  line2: Optional(Nullable(line())),
  postalCode: Optional(Nullable(line(32))),
  city: Optional(Nullable(line())),
  state: Optional(Nullable(line())),
});

export const AddressView = Shape('Address', {
  line1: line(),
  line2: Nullable(line()),
  postalCode: Nullable(line(32)),
  city: Nullable(line()),
  state: Nullable(line()),
});

const taxId = {
  type: OneOf(TAX_ID_TYPES, '`other` is not checked.'),
  value: Text({ max: 64, description: 'Its form and its check digits are verified, without asking anyone.' }),
};

const STATUS = 'Yours to set: whether you have verified that it is theirs. Nothing depends on it.';

export const TaxIdsBody = List(Shape('TaxIdRequest', taxId), { max: MAX_TAX_IDS });

export const CustomerTaxIdsBody = List(
  Shape('CustomerTaxIdRequest', { ...taxId, status: Optional(OneOf(TAX_ID_STATUSES, STATUS)) }),
  { max: MAX_TAX_IDS },
);

export const TaxIdsView = List(Shape('TaxId', taxId));

export const CustomerTaxIdsView = List(
  Shape('CustomerTaxId', { ...taxId, status: OneOf(TAX_ID_STATUSES, STATUS) }),
);

export const SellerBody = Shape('SellerRequest', {
  legalName: Name(),
  address: Optional(Nullable(AddressBody)),
  country: Country(),
  taxIds: Optional(TaxIdsBody),
  registrationNumber: Optional(Nullable(Text({ description: 'In the register of companies.' }))),
});

export const SellerView = Shape('Seller', {
  legalName: Text(),
  address: Nullable(AddressView),
  country: Country(),
  taxIds: TaxIdsView,
  registrationNumber: Nullable(Text({ description: 'In the register of companies.' })),
});

/** The buyer as they were when the invoice was issued. */
export const BuyerView = Shape('Buyer', {
  name: Nullable(Text()),
  email: Nullable(Text({ max: 254 })),
  address: Nullable(AddressView),
  country: Nullable(Country()),
  isBusiness: Flag(),
  taxIds: TaxIdsView,
});
