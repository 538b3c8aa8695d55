import type { Customer, UpdateCustomerRequest } from '@florin/sdk';
import { Checkbox, Collapse, Stack, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormValues } from '../parts/form-values.ts';
import { AddressFields, addressOf, CountryField } from '../tax/party-fields.tsx';
import { TaxIdFields, taxIdsOf } from '../tax/tax-id-fields.tsx';
import { t } from '../words/t.ts';

/** Fields for a customer's country and tax status; open if any of them is filled in. */
export function TaxData({ customer }: { customer?: Customer | undefined }) {
  const isKnown =
    customer !== undefined &&
    (customer.country !== null ||
      customer.address !== null ||
      customer.isBusiness ||
      customer.taxIds.length > 0);
  const [isOpen, { toggle }] = useDisclosure(isKnown);
  return (
    <>
      <UnstyledButton
        type="button"
        onClick={toggle}
        aria-expanded={isOpen}
        c="var(--mantine-color-anchor)"
        fz="sm"
      >
        {isOpen ? t('Hide address and tax') : t('Address and tax')}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Stack>
          <AddressFields address={customer?.address} />
          <CountryField country={customer?.country} description={t('Decides which tax rate applies.')} />
          <Checkbox
            label={t('Buys for a business')}
            name="isBusiness"
            defaultChecked={customer?.isBusiness ?? false}
          />
          <TaxIdFields taxIds={customer?.taxIds ?? []} hasStatus />
        </Stack>
      </Collapse>
    </>
  );
}

export function taxDataOf(
  values: FormValues,
): Required<Pick<UpdateCustomerRequest, 'address' | 'country' | 'isBusiness' | 'taxIds'>> {
  return {
    address: addressOf(values),
    country: values.optional('country'),
    isBusiness: values.isOn('isBusiness'),
    taxIds: taxIdsOf(values),
  };
}
