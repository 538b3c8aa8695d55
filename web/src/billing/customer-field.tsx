import type { Customer } from '@florin/sdk';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { t } from '../words/t.ts';
import { customerText } from './names.tsx';
import { useProjects } from './use-projects.ts';

const PAUSE_MS = 150;
const MAX_FOUND = 8;
const MAX_RECENT = 20;

interface CustomerFieldProps {
  chosen: Customer | undefined;
  onChange(customer: Customer | undefined): void;
}

/** Chooses a customer: the latest ones, or those whose name, e-mail or ID matches the text. */
export function CustomerField({ chosen, onChange }: CustomerFieldProps) {
  const [typed, setTyped] = useState('');
  const { all: projects } = useProjects();
  const labelOf = (customer: Customer) =>
    [
      customerText(customer),
      customer.name !== null && customer.email,
      projects.size > 1 && projects.get(customer.projectId)?.name,
    ]
      .filter(Boolean)
      .join(' · ');
  // The field shows the chosen name, which is not a search.
  const wanted = chosen && typed === labelOf(chosen) ? '' : typed.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['customers', 'to-choose', asked],
    queryFn: () => findCustomers(asked),
    placeholderData: keepPreviousData,
  });
  const customers = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : [...found];
  const nothing =
    isFetching || wanted !== asked
      ? t('Searching …')
      : asked === ''
        ? t('No customers yet')
        : t('No customer found');
  return (
    <Select
      label={t('Customer')}
      description={t('Type the beginning of a name, an e-mail address or your customer ID.')}
      name="customerId"
      required
      searchable
      value={chosen?.id ?? null}
      onChange={(id) => onChange(customers.find((customer) => customer.id === id))}
      searchValue={typed}
      onSearchChange={setTyped}
      data={
        customers.length === 0
          ? [{ value: '', label: nothing, disabled: true }]
          : customers.map((customer) => ({ value: customer.id, label: labelOf(customer) }))
      }
      filter={({ options }) => options}
      autoComplete="off"
      data-autofocus
    />
  );
}

async function findCustomers(text: string): Promise<Customer[]> {
  if (text === '') return [...(await florin.customers.list({ limit: MAX_RECENT })).data];
  const { data } = await florin.search.find({ q: text, limit: MAX_FOUND });
  const ids = data.filter(({ type }) => type === 'customer').map(({ id }) => id);
  return Promise.all(ids.map((id) => florin.customers.retrieve(id)));
}
