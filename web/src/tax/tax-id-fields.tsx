import type { CustomerTaxId, TaxId } from '@florin/sdk';
import { Button, Checkbox, Fieldset, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormValues } from '../parts/form-values.ts';
import { t } from '../words/t.ts';
import { TAX_ID_NAMES } from './party-text.tsx';

const MAX_TAX_IDS = 10;

interface TaxIdFieldsProps {
  taxIds: readonly (TaxId | CustomerTaxId)[];
  /** True for a customer's tax ids, which show if somebody has verified them. */
  hasStatus?: boolean;
}

/** Any number of them, each with its type. */
export function TaxIdFields({ taxIds, hasStatus = false }: TaxIdFieldsProps) {
  const [rows, setRows] = useState(() =>
    taxIds.map((taxId, key) => ({ key, taxId: taxId as typeof taxId | null })),
  );
  const add = () => setRows([...rows, { key: (rows.at(-1)?.key ?? -1) + 1, taxId: null }]);
  return (
    <>
      {rows.map(({ key, taxId }, at) => (
        <Fieldset key={key} legend={t('Tax ID {number}', { number: at + 1 })}>
          <input type="hidden" name="taxId" value={key} />
          <NativeSelect
            label={t('Type')}
            name={`taxIdType-${key}`}
            defaultValue={taxId?.type ?? 'eu_vat'}
            data={Object.entries(TAX_ID_NAMES).map(([value, label]) => ({ value, label }))}
            mb="xs"
          />
          <TextInput
            label={t('Number')}
            name={`taxIdValue-${key}`}
            defaultValue={taxId?.value ?? ''}
            maxLength={64}
            required
            autoComplete="off"
            spellCheck={false}
            mb="xs"
          />
          <Group justify="space-between">
            {hasStatus && (
              <Checkbox
                label={t('I have verified it')}
                name={`taxIdVerified-${key}`}
                defaultChecked={taxId !== null && 'status' in taxId && taxId.status === 'verified'}
              />
            )}
            <Button
              type="button"
              variant="default"
              size="xs"
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
              aria-label={t('Remove tax ID {number}', { number: at + 1 })}
            >
              {t('Remove')}
            </Button>
          </Group>
        </Fieldset>
      ))}
      {rows.length < MAX_TAX_IDS && (
        <Group>
          <Button type="button" variant="default" size="xs" onClick={add}>
            {t('Add tax ID')}
          </Button>
        </Group>
      )}
    </>
  );
}

export function taxIdsOf(values: FormValues): CustomerTaxId[] {
  return values.all('taxId').map((key) => ({
    type: values.text(`taxIdType-${key}`) as TaxId['type'],
    value: values.text(`taxIdValue-${key}`),
    status: values.isOn(`taxIdVerified-${key}`) ? 'verified' : 'unverified',
  }));
}
