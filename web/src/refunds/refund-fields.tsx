import { Checkbox, NativeSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';
import { REASONS } from './reasons.ts';
import type { Refundable, Source } from './refundable.ts';

/** Fields of a refund. Nothing has to be typed if all of it goes back and the customer names the address. */
export function RefundFields({ of, left }: { of: Source; left: Refundable }) {
  if (left.leftCents === 0n) return <Text size="sm">{t('Nothing is left to refund.')}</Text>;
  return (
    <>
      <TextInput
        label={t('Amount in USDC')}
        description={t('{amount} can be refunded.', { amount: moneyText(left.leftCents) })}
        name="amount"
        inputMode="decimal"
        defaultValue={moneyText(left.leftCents)}
        autoComplete="off"
        required
      />
      <NativeSelect
        label={t('Reason')}
        name="reason"
        defaultValue={defaultReason(of)}
        data={Object.entries(REASONS).map(([value, label]) => ({ value, label }))}
      />
      <AddressFields />
      <Textarea
        label={t('Note')}
        description={t('For you alone. Optional.')}
        name="note"
        maxLength={2000}
        autosize
      />
      <Effects of={left} />
    </>
  );
}

function defaultReason(of: Source): keyof typeof REASONS {
  if (of.kind !== 'exception') return 'requested_by_customer';
  const { kind } = of.exception;
  return kind === 'surplus' ? 'overpaid' : kind === 'duplicate_order' ? 'duplicate' : 'other';
}

function AddressFields() {
  const [way, setWay] = useState('ask');
  return (
    <Radio.Group value={way} onChange={setWay} label={t('Address')}>
      <Stack gap="xs" mt={6}>
        <Radio
          value="ask"
          label={t('Ask the customer')}
          description={t(
            'You get a link to send them. Money from an exchange has no way back to the wallet it came from.',
          )}
        />
        <Radio value="enter" label={t('Enter an address')} />
        {way === 'enter' && (
          <TextInput
            label={t('Solana address')}
            description={t('The wallet that the customer told you. Money sent to a wrong one is lost.')}
            name="address"
            autoComplete="off"
            spellCheck={false}
            required
            autoFocus
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

function Effects({ of }: { of: Refundable }) {
  return (
    <>
      {of.isTopUp && (
        <Checkbox
          name="revokeCredits"
          label={t('Take back credits')}
          description={t('In proportion to the amount, once it is sent.')}
        />
      )}
      {of.isSubscription && (
        <Checkbox
          name="cancelSubscription"
          label={t('Cancel subscription')}
          description={t('Immediately, once it is sent.')}
        />
      )}
      {of.hasCustomer && (
        <Checkbox
          name="notifyCustomer"
          label={t('E-mail the customer')}
          description={t(
            'When the money is sent; and the link, if you ask them for the address. Without e-mail you get that link here.',
          )}
          defaultChecked
        />
      )}
    </>
  );
}
