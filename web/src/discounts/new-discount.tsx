import type { CreateDiscountRequest, Discount } from '@florin/sdk';
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { useProjects } from '../billing/use-projects.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';

const KINDS = [
  { value: 'percent', label: t('Percentage') },
  { value: 'amount', label: t('Fixed amount') },
];

const DURATIONS = [
  { value: 'once', label: t('Once') },
  { value: 'periods', label: t('Several billing periods') },
  { value: 'forever', label: t('Forever') },
];

export function NewDiscount({ onDone }: { onDone(discount: Discount): void }) {
  return (
    <DialogForm
      button={t('New discount')}
      icon="plus"
      kind="main"
      submit={t('Create discount')}
      run={async (values) => florin.discounts.create(requestOf(values))}
      refresh={['discounts']}
      done={t('Discount created.')}
      onDone={onDone}
    >
      <DiscountFields />
    </DialogForm>
  );
}

function DiscountFields() {
  const { open } = useProjects();
  const [chosen, setChosen] = useState<string>();
  const [kind, setKind] = useState('percent');
  const [duration, setDuration] = useState('once');
  return (
    <>
      <ProjectField value={chosen ?? open[0]?.id} onChange={setChosen} />
      <TextInput
        label={t('Name')}
        description={t('Customers see it on the page and the invoice.')}
        name="name"
        maxLength={255}
        required
        data-autofocus
      />
      <NativeSelect
        label={t('Type')}
        name="kind"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value)}
        data={KINDS}
      />
      {kind === 'percent' ? (
        <TextInput label={t('Percent off')} name="percent" inputMode="decimal" placeholder="25" required />
      ) : (
        <TextInput
          label={t('Amount off in USDC')}
          name="amount"
          inputMode="decimal"
          placeholder={moneyText(500)}
          required
        />
      )}
      <NativeSelect
        label={t('Subscriptions')}
        name="duration"
        value={duration}
        onChange={(event) => setDuration(event.currentTarget.value)}
        data={DURATIONS}
      />
      {duration === 'periods' && (
        <TextInput
          label={t('Billing periods')}
          name="periods"
          inputMode="numeric"
          defaultValue="3"
          required
        />
      )}
      <TextInput label={t('Maximum uses')} description={t('Optional.')} name="most" inputMode="numeric" />
      <TextInput
        label={t('Maximum per customer')}
        description={t('Optional.')}
        name="mostEach"
        inputMode="numeric"
      />
      <Text size="sm" c="dimmed">
        {t('The terms can’t be edited later. The limits can.')}
      </Text>
    </>
  );
}

function requestOf(values: FormValues): CreateDiscountRequest {
  const isPercent = values.text('kind') === 'percent';
  const duration = values.text('duration') as 'once' | 'periods' | 'forever';
  const most = values.optionalCount('most', t('Maximum uses'));
  const mostEach = values.optionalCount('mostEach', t('Maximum per customer'));
  return {
    projectId: values.text('projectId'),
    name: values.text('name'),
    ...(isPercent
      ? { percentOff: percentOf(values.figures('percent')) }
      : { amountOffCents: values.money('amount', t('Amount off')) }),
    duration,
    ...(duration === 'periods' && { durationPeriods: Number(values.count('periods', t('Billing periods'))) }),
    maxRedemptions: most === null ? null : Number(most),
    maxPerCustomer: mostEach === null ? null : Number(mostEach),
  };
}

function percentOf(text: string): number {
  if (!/^\d{1,3}([.,]\d{1,2})?$/.test(text))
    throw new Error(t('Percent off: enter a number such as 25 or 12.5.'));
  return Number(text.replace(',', '.'));
}
