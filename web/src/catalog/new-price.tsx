import type { CreatePriceRequest, Price, Product } from '@florin/sdk';
import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { TaxFields, taxOf } from '../tax/tax-fields.tsx';
import { t, tc } from '../words/t.ts';

type Mode = CreatePriceRequest['billingMode'];

const MODES: readonly { value: Mode; label: string }[] = [
  { value: 'one_time', label: t('One-time') },
  { value: 'subscription', label: t('Recurring') },
  { value: 'balance_top_up', label: t('Prepaid credits') },
];

const INTERVALS = [
  { value: 'day', label: tc('time span', 'day') },
  { value: 'week', label: tc('time span', 'week') },
  { value: 'month', label: tc('time span', 'month') },
  { value: 'year', label: tc('time span', 'year') },
];

/** Each billing mode shows the fields it needs and nothing else. */
export function NewPrice({ product }: { product: Product }) {
  return (
    <DialogForm
      button={t('New price')}
      icon="plus"
      kind="main"
      submit={t('Create price')}
      run={async (values) => florin.prices.create(requestOf(product, values))}
      refresh={['prices']}
      done={t('Price created.')}
    >
      <PriceFields projectId={product.projectId} />
    </DialogForm>
  );
}

function PriceFields({ projectId }: { projectId: string }) {
  const [mode, setMode] = useState<Mode>('one_time');
  return (
    <>
      <NativeSelect
        label={t('Billing')}
        name="mode"
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value as Mode)}
        data={[...MODES]}
      />
      <TextInput
        label={t('Amount in USDC')}
        name="amount"
        inputMode="decimal"
        placeholder={moneyText(1200)}
        required
        autoComplete="off"
        data-autofocus
      />
      {mode === 'subscription' && (
        <Group grow align="end" preventGrowOverflow={false} wrap="nowrap">
          <TextInput
            label={tc('time span', 'Every')}
            name="count"
            inputMode="numeric"
            defaultValue="1"
            required
          />
          <NativeSelect label={t('Interval')} name="interval" defaultValue="month" data={INTERVALS} />
        </Group>
      )}
      {mode === 'subscription' && (
        <TextInput
          label={t('Free trial in days')}
          description={t('Free at first, once for each customer. Optional.')}
          name="trialDays"
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      {mode === 'balance_top_up' && (
        <TextInput label={t('Credits included')} name="credits" inputMode="numeric" required />
      )}
      <TaxFields projectId={projectId} />
      <NameFields />
      <Text size="sm" c="dimmed">
        {t('The amount can’t be edited. To change the amount, create a new price and archive this one.')}
      </Text>
    </>
  );
}

export function NameFields({ price }: { price?: Price }) {
  return (
    <>
      <TextInput
        label={t('Name')}
        description={t('Optional label, e.g. “Monthly”.')}
        name="name"
        maxLength={255}
        defaultValue={price?.name ?? ''}
      />
      <TextInput
        label={t('Lookup key')}
        description={t('Your own name for this price, for use in your code. Optional.')}
        name="lookupKey"
        maxLength={200}
        defaultValue={price?.lookupKey ?? ''}
        autoComplete="off"
      />
    </>
  );
}

function requestOf(product: Product, values: FormValues): CreatePriceRequest {
  const billingMode = values.text('mode') as Mode;
  const price = {
    projectId: product.projectId,
    productId: product.id,
    name: values.optional('name'),
    lookupKey: values.optional('lookupKey'),
    unitAmountCents: values.money('amount', t('Amount')),
    ...taxOf(values),
  };
  if (billingMode === 'balance_top_up')
    return { ...price, billingMode, creditAmount: values.count('credits', t('Credits')) };
  if (billingMode === 'one_time') return { ...price, billingMode };
  return {
    ...price,
    billingMode,
    recurringInterval: values.text('interval') as 'month',
    recurringIntervalCount: Number(values.count('count', tc('time span', 'Every'))),
    ...(values.optional('trialDays') && { trialDays: Number(values.count('trialDays', t('Free trial'))) }),
  };
}
