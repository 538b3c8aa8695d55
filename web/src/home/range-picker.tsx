import type { BillingRevenueQuery, Revenue } from '@florin/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useProjects } from '../billing/use-projects.ts';
import { PlainInput, PlainSelect } from '../parts/plain-field.tsx';
import { useAddressSearch } from '../parts/use-search.ts';
import { t, tc, tn } from '../words/t.ts';

const RANGES = {
  today: t('Today'),
  '7d': tn(7, '{count} day', '{count} days'),
  '30d': tn(30, '{count} day', '{count} days'),
  '3m': tn(3, '{count} month', '{count} months'),
  '12m': tn(12, '{count} month', '{count} months'),
} as const;

export const isRange = (text: string | undefined): text is keyof typeof RANGES =>
  text !== undefined && text in RANGES;

const OWN = 'own';

/** Picker of the days and the project. */
export function RangePicker({ query, shown }: { query: BillingRevenueQuery; shown: Revenue | undefined }) {
  const [, change] = useAddressSearch();
  const { all } = useProjects();
  const [isOwn, setOwn] = useState(query.from !== undefined);
  const choose = (value: string) => {
    setOwn(value === OWN);
    if (value !== OWN) change({ range: value, from: undefined, to: undefined });
  };
  return (
    <Group gap="xs" align="end" mb="md">
      <PlainSelect
        label={t('Period')}
        value={isOwn ? OWN : (query.range ?? '30d')}
        onChange={(event) => choose(event.currentTarget.value)}
        options={[
          ...Object.entries(RANGES).map(([value, label]) => ({ value, label })),
          { value: OWN, label: t('Own dates') },
        ]}
      />
      {isOwn && <OwnDates key={`${shown?.from} ${shown?.to}`} from={shown?.from} to={shown?.to} />}
      {all.size > 1 && (
        <PlainSelect
          label={t('Project')}
          value={query.projectId ?? ''}
          onChange={(event) => change({ projectId: event.currentTarget.value || undefined })}
          options={[
            { value: '', label: t('All projects') },
            ...[...all.values()].map(({ id, name }) => ({ value: id, label: name.slice(0, 40) })),
          ]}
        />
      )}
    </Group>
  );
}

const MAX_DAYS = 366;

function OwnDates({ from: first = '', to: last = '' }: { from: string | undefined; to: string | undefined }) {
  const [, change] = useAddressSearch();
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(last);
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const problem =
    days < 1
      ? t('To must be the same day as From, or later.')
      : days > MAX_DAYS
        ? tn(MAX_DAYS, 'Choose at most {count} day.', 'Choose at most {count} days.')
        : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (days >= 1 && days <= MAX_DAYS) change({ from, to, range: undefined });
      }}
    >
      <Group gap="xs" align="end">
        <PlainInput
          type="date"
          label={tc('time span', 'From')}
          required
          min="2000-01-01"
          max="2999-12-31"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <PlainInput
          type="date"
          label={tc('time span', 'To')}
          required
          min="2000-01-01"
          max="2999-12-31"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default">
          {t('Show')}
        </Button>
      </Group>
      {problem && (
        <Text size="xs" role="alert" mt={4}>
          {problem}
        </Text>
      )}
    </form>
  );
}
