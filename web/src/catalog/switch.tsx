import type { Price } from '@florin/sdk';
import { Button } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { termsText } from '../billing/price-text.ts';
import { t } from '../words/t.ts';

export function PriceSwitch({ price }: { price: Price }) {
  return (
    <Switch
      isActive={price.isActive}
      label={termsText(price)}
      change={(isActive) => florin.prices.update(price.id, { isActive })}
      refresh={['prices']}
    />
  );
}

interface SwitchProps {
  isActive: boolean;
  label: string;
  change(isActive: boolean): Promise<unknown>;
  refresh: readonly string[];
  /** Text shown when it is archived. */
  archived?: string;
}

/** Takes effect immediately and can be undone immediately, so there is no confirmation. */
export function Switch({
  isActive,
  label,
  change,
  refresh,
  archived = t('Archived. Existing subscriptions keep it.'),
}: SwitchProps) {
  const action = useAction({
    run: () => change(!isActive),
    refresh,
    done: isActive ? archived : t('Activated.'),
  });
  const word = isActive ? t('Archive') : t('Activate');
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => action.mutate()}
      loading={action.isPending}
      aria-label={`${word}: ${label}`}
    >
      {word}
    </Button>
  );
}
