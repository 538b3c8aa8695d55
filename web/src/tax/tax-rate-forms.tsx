import type { CreateTaxRateRequest, TaxRate } from '@florin/sdk';
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { useProjects } from '../billing/use-projects.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { t, tc } from '../words/t.ts';
import { countryName } from './countries.ts';
import { CountryField } from './party-fields.tsx';
import { rateText } from './use-tax-rates.ts';

export const CATEGORY_NAMES: Record<TaxRate['category'], string> = {
  S: tc('tax', 'Standard'),
  Z: tc('tax', 'Zero-rated'),
  E: tc('tax', 'Exempt'),
  AE: tc('tax', 'Reverse charge'),
  K: tc('tax', 'Within the EU'),
  G: tc('tax', 'Export'),
  O: tc('tax', 'Not subject to tax'),
};

const REFRESH = ['tax-rates'];

export function NewTaxRate() {
  return (
    <DialogForm
      button={t('New tax rate')}
      icon="plus"
      kind="main"
      submit={t('Create tax rate')}
      run={async (values) =>
        florin.taxRates.create({
          projectId: values.text('projectId'),
          name: values.text('name'),
          percent: percentOf(values.figures('percent')),
          country: values.text('country'),
          ...categoryOf(values),
          isDefault: values.isOn('isDefault'),
        })
      }
      refresh={REFRESH}
      done={t('Tax rate created.')}
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
        label={t('Percent')}
        name="percent"
        inputMode="decimal"
        placeholder="19"
        required
        autoComplete="off"
      />
      <CountryField country={seller?.country} required key={seller?.country} />
      <NativeSelect
        label={t('Category')}
        description={t('As in electronic invoices.')}
        name="category"
        data={[
          { value: '', label: t('Standard, or zero-rated for 0%') },
          ...Object.entries(CATEGORY_NAMES).map(([value, label]) => ({ value, label })),
        ]}
      />
      <Checkbox
        label={t('Default of its country')}
        description={t('For prices without a rate of their own.')}
        name="isDefault"
        defaultChecked
      />
      <Text size="sm" c="dimmed">
        {t(
          'Percentage, country and category can’t be edited later. When the law changes, create another rate.',
        )}
      </Text>
    </>
  );
}

export function EditTaxRate({ rate }: { rate: TaxRate }) {
  return (
    <DialogForm
      button={t('Edit')}
      label={t('Edit {rate}', { rate: rateText(rate) })}
      submit={t('Save')}
      run={(values) =>
        florin.taxRates.update(
          rate.id,
          values.changed((given) => ({ name: given.text('name'), isDefault: given.isOn('isDefault') })),
        )
      }
      refresh={REFRESH}
      done={t('Tax rate saved.')}
    >
      <NameField rate={rate} />
      {rate.isActive && (
        <Checkbox
          label={t('Default of {country}', { country: countryName(rate.country) })}
          description={t(
            'For prices without a rate of their own. It replaces the default that the country has now.',
          )}
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
      label={t('Name')}
      description={t('As customers read it, such as VAT.')}
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
  if (!/^\d{1,3}([.,]\d{1,4})?$/.test(text)) throw new Error(t('Percent: enter a number such as 19 or 7.7.'));
  return Number(text.replace(',', '.'));
}
