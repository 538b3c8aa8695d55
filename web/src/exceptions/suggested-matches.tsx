import type { PaymentExceptionSuggestion } from '@florin/sdk';
import { Radio, Stack, Text } from '@mantine/core';
import { listText } from '../billing/price-text.ts';
import { moneyText } from '../parts/money.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';

const REASONS: Record<PaymentExceptionSuggestion['reasons'][number], string> = {
  claimed: t('the customer says this is their payment'),
  named: t('the payment names it'),
  same_amount: t('same amount'),
  less_a_fee: t('an exchange’s fee less'),
  same_sender: t('same wallet'),
};

interface SuggestedMatchesProps {
  suggestions: readonly PaymentExceptionSuggestion[];
  value: string;
  onChange(paymentIntentId: string): void;
}

/** Orders that the money was probably for, the likeliest first. */
export function SuggestedMatches({ suggestions, value, onChange }: SuggestedMatchesProps) {
  return (
    <Radio.Group label={t('Likely orders')} value={value} onChange={onChange}>
      <Stack gap={6} mt={6}>
        {suggestions.map((suggestion) => (
          <Radio
            key={suggestion.paymentIntentId}
            value={suggestion.paymentIntentId}
            label={titleOf(suggestion)}
            description={
              <Text size="xs" component="span">
                <T
                  of="{status}, from {time}: {reasons}"
                  status={words(suggestion.status)}
                  time={<Time at={suggestion.createdAt} />}
                  reasons={listText(suggestion.reasons.map((reason) => REASONS[reason]))}
                />
              </Text>
            }
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function titleOf({
  orderId,
  paymentIntentId,
  customerName,
  customerEmail,
  amountCents,
  missingCents,
  tipCents,
}: PaymentExceptionSuggestion): string {
  const isPart = BigInt(missingCents) !== BigInt(amountCents);
  const amount = isPart
    ? t('{missing} of {amount} missing', {
        missing: moneyText(missingCents),
        amount: moneyText(amountCents),
      })
    : moneyText(amountCents);
  const tip = BigInt(tipCents) > 0n && t('including a tip of {tip}', { tip: moneyText(tipCents) });
  return [orderId ?? paymentIntentId, customerName ?? customerEmail, amount, tip].filter(Boolean).join(' · ');
}
