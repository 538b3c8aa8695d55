import type { SearchResult } from '@florin/sdk';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { moneyText, wantedText } from '../parts/money-text.ts';
import { words } from '../parts/status.tsx';
import { t } from '../words/t.ts';

const PAUSE_MS = 150;

interface OrderSearchProps {
  label: string;
  /** The ID of the chosen payment. */
  value: string;
  onChange(id: string): void;
}

/** Finds an order as you type, instead of asking for its ID. */
export function OrderSearch({ label, value, onChange }: OrderSearchProps) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['intents', 'to-choose', asked],
    queryFn: () => findOrders(asked),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data ?? []);
  return (
    <Stack gap="xs">
      <TextInput
        label={label}
        placeholder={t('Order, amount, customer or payment ID')}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {found.length > 0 && (
        <Radio.Group aria-label={t('Found')} value={value} onChange={onChange}>
          <Stack gap={6}>
            {found.map((hit) => (
              <Radio key={hit.id} value={hit.id} label={describe(hit)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {asked !== '' && found.length === 0 && data && !isPlaceholderData && (
        <Text size="sm" c="dimmed" role="status">
          {t('Nothing found.')}
        </Text>
      )}
    </Stack>
  );
}

async function findOrders(text: string): Promise<SearchResult[]> {
  const { data } = await florin.search.find({ q: wantedText(text) });
  return data.filter(({ type }) => type === 'payment_intent');
}

/** `order-1 · Ann · 4.20 · Pending`. */
function describe({ id, title, detail, amountCents, status }: SearchResult): string {
  const parts = [
    title ?? id,
    detail === title ? null : detail,
    amountCents === null ? null : moneyText(amountCents),
    status && words(status),
  ];
  return parts.filter(Boolean).join(' · ');
}
