import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { PlainTable } from '../parts/short-list.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { PAYMENT_COLUMNS } from '../payments/payment-columns.tsx';
import { t } from '../words/t.ts';

const SHOWN = 8;
const REFRESH_MS = 15_000;

export function LatestPayments() {
  const { data, error } = useQuery({
    queryKey: ['intents', 'latest'],
    queryFn: () => florin.intents.list({ limit: SHOWN, expand: ['purchase', 'outcome'] }).page(),
    // A new payment has no event yet.
    refetchInterval: REFRESH_MS,
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading lines={4} />;
  if (data.data.length === 0) return <Text c="dimmed">{t('None yet.')}</Text>;
  return (
    <PlainTable
      isFitted
      caption={t('Latest payments')}
      columns={PAYMENT_COLUMNS}
      items={data.data}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/payments/${id}`}
    />
  );
}
