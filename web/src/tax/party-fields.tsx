import type { Customer } from '@florin/sdk';
import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { FormValues } from '../parts/form-values.ts';
import { t } from '../words/t.ts';
import { COUNTRY_OPTIONS } from './countries.ts';

type Address = NonNullable<Customer['address']>;

export function AddressFields({ address }: { address: Address | null | undefined }) {
  return (
    <>
      <TextInput label={t('Address')} name="line1" maxLength={255} defaultValue={address?.line1 ?? ''} />
      <TextInput
        aria-label={t('Address, second line')}
        name="line2"
        maxLength={255}
        defaultValue={address?.line2 ?? ''}
      />
      <Group grow align="end" gap="xs">
        <TextInput
          label={t('Postal code')}
          name="postalCode"
          maxLength={32}
          defaultValue={address?.postalCode ?? ''}
        />
        <TextInput label={t('City')} name="city" maxLength={255} defaultValue={address?.city ?? ''} />
      </Group>
      <TextInput
        label={t('State or region')}
        name="state"
        maxLength={255}
        defaultValue={address?.state ?? ''}
        autoComplete="off"
      />
    </>
  );
}

interface CountryFieldProps {
  country: string | null | undefined;
  required?: boolean;
  description?: string;
}

export function CountryField({ country, required = false, description }: CountryFieldProps) {
  return (
    <NativeSelect
      label={t('Country')}
      description={description}
      name="country"
      required={required}
      defaultValue={country ?? ''}
      data={[{ value: '', label: required ? t('Choose a country') : t('Not known') }, ...COUNTRY_OPTIONS]}
    />
  );
}

/** Null where nothing was typed. */
export function addressOf(values: FormValues): Address | null {
  const line1 = values.text('line1');
  const others = {
    line2: values.optional('line2'),
    postalCode: values.optional('postalCode'),
    city: values.optional('city'),
    state: values.optional('state'),
  };
  if (line1 !== '') return { line1, ...others };
  if (Object.values(others).every((text) => text === null)) return null;
  throw new Error(t('Address: enter the first line, such as street and number.'));
}
