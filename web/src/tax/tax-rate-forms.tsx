import type { CreateTaxRateRequest, TaxRate } from '@florin/sdk';
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { useProjects } from '../billing/use-projects.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { countryName } from './countries.ts';
import { CountryField } from './party-fields.tsx';
import { rateText } from './use-tax-rates.ts';

export const CATEGORY_NAMES: Record<TaxRate['category'], string> = {
  S: 'Standard',
  Z: 'Zero-rated',
  E: 'Exempt',
  AE: 'Reverse charge',
  K: 'Within the EU',
  G: 'Export',
  O: 'Not subject to tax',
};

const REFRESH = ['tax-rates'];

export function NewTaxRate() {
  return (
    <DialogForm
      button="New tax rate"
      icon="plus"
      kind="main"
      submit="Create tax rate"
      run={async (values) =>
        florin.taxRates.create({
          projectId: values.text('projectId'),
          name: values.text('name'),
          percent: percentOf(values.text('percent')),
          country: values.text('country'),
          ...categoryOf(values),
          isDefault: values.isOn('isDefault'),
        })
      }
      refresh={REFRESH}
      done="Tax rate created."
    >
      <NewRateFields />
    </DialogForm>
  );
}

function NewRateFields() {
  const { open } = useProjects();
  const [chosen, setChosen] = useState<string>();
  const projectId = chosen ?? open[0]?.id;
  const seller = open.find(({ id }) => id === projectId)?.seller;
  return (
    <>
      <ProjectField value={projectId} onChange={setChosen} />
      <NameField />
      <TextInput
        label="Percent"
        name="percent"
        inputMode="decimal"
        placeholder="19"
        required
        autoComplete="off"
      />
      <CountryField country={seller?.country} required key={seller?.country} />
      <NativeSelect
        label="Category"
        description="As in electronic invoices."
        name="category"
        data={[
          { value: '', label: 'Standard, or zero-rated for 0%' },
          ...Object.entries(CATEGORY_NAMES).map(([value, label]) => ({ value, label })),
        ]}
      />
      <Checkbox
        label="Default of its country"
        description="For prices without a rate of their own."
        name="isDefault"
        defaultChecked
      />
      <Text size="sm" c="dimmed">
        Percentage, country and category can’t be edited later. When the law changes, create another rate.
      </Text>
    </>
  );
}

export function EditTaxRate({ rate }: { rate: TaxRate }) {
  return (
    <DialogForm
      button="Edit"
      label={`Edit ${rateText(rate)}`}
      submit="Save"
      run={(values) =>
        florin.taxRates.update(rate.id, { name: values.text('name'), isDefault: values.isOn('isDefault') })
      }
      refresh={REFRESH}
      done="Tax rate saved."
    >
      <NameField rate={rate} />
      {rate.isActive && (
        <Checkbox
          label={`Default of ${countryName(rate.country)}`}
          description="For prices without a rate of their own. It replaces the default that the country has now."
          name="isDefault"
          defaultChecked={rate.isDefault}
        />
      )}
    </DialogForm>
  );
}

function NameField({ rate }: { rate?: TaxRate }) {
  return (
    <TextInput
      label="Name"
      description="As customers read it, such as VAT."
      name="name"
      defaultValue={rate?.name ?? ''}
      required
      maxLength={255}
      data-autofocus
    />
  );
}

function categoryOf(values: FormValues): Pick<CreateTaxRateRequest, 'category'> {
  const category = values.optional('category') as TaxRate['category'] | null;
  return category === null ? {} : { category };
}

function percentOf(text: string): number {
  if (!/^\d{1,3}([.,]\d{1,4})?$/.test(text)) throw new Error('Percent: enter a number such as 19 or 7.7.');
  return Number(text.replace(',', '.'));
}
