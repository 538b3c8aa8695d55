import type { Price } from '@florin/sdk';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { FormValues } from '../parts/form-values.ts';
import { t } from '../words/t.ts';
import { rateText, useTaxRates } from './use-tax-rates.ts';

type Behavior = Price['taxBehavior'];

export const BEHAVIOR_NAMES: Record<Behavior, string> = {
  none: t('No tax'),
  exclusive: t('Added to the amount'),
  inclusive: t('Included in the amount'),
};

interface Taxed {
  taxBehavior?: Behavior | null | undefined;
  taxRateId?: string | null | undefined;
}

interface TaxFieldsProps {
  projectId: string | undefined;
  /** Present tax terms. */
  of?: Taxed | undefined;
  /** True if a behavior, once chosen, cannot be changed. */
  isFixed?: boolean;
  /** Added to the fields' names where a form has several. */
  suffix?: string;
}

/** Fields for the tax behavior of an amount, and the rate. */
export function TaxFields({ projectId, of, isFixed = false, suffix = '' }: TaxFieldsProps) {
  const given = of?.taxBehavior ?? 'none';
  const [behavior, setBehavior] = useState<Behavior>(given);
  const rates = useTaxRates(projectId).filter(({ id, isActive }) => isActive || id === of?.taxRateId);
  const choices = isFixed && given !== 'none' ? [given] : (Object.keys(BEHAVIOR_NAMES) as Behavior[]);
  return (
    <>
      <NativeSelect
        label={t('Tax')}
        description={choices.length === 1 ? t('It stays: customers were promised the amount.') : undefined}
        name={`taxBehavior${suffix}`}
        value={behavior}
        onChange={(event) => setBehavior(event.currentTarget.value as Behavior)}
        data={choices.map((value) => ({ value, label: BEHAVIOR_NAMES[value] }))}
      />
      {behavior !== 'none' && (
        <NativeSelect
          label={t('Tax rate')}
          name={`taxRateId${suffix}`}
          defaultValue={of?.taxRateId ?? ''}
          // The choices arrive after the field: it starts again with them.
          key={rates.length}
          data={[
            { value: '', label: t('Default of the customer’s country') },
            // A member who saves before the choices arrive changes nothing.
            ...(of?.taxRateId && rates.length === 0 ? [{ value: of.taxRateId, label: '…' }] : []),
            ...rates.map((rate) => ({
              value: rate.id,
              label: rate.isActive ? rateText(rate) : t('{rate}, archived', { rate: rateText(rate) }),
            })),
          ]}
        />
      )}
    </>
  );
}

export function taxOf(values: FormValues, suffix = ''): { taxBehavior: Behavior; taxRateId: string | null } {
  const taxBehavior = values.text(`taxBehavior${suffix}`) as Behavior;
  return { taxBehavior, taxRateId: taxBehavior === 'none' ? null : values.optional(`taxRateId${suffix}`) };
}
