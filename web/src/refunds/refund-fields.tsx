import { Checkbox, NativeSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { moneyText } from '../parts/money.tsx';
import { REASONS } from './reasons.ts';
import type { Refundable, Source } from './refundable.ts';

/** What a refund needs. Nothing has to be typed where all of it goes back and the customer names the address. */
export function RefundFields({ of, left }: { of: Source; left: Refundable }) {
  if (left.leftCents === 0n) return <Text size="sm">Nothing is left to refund.</Text>;
  return (
    <>
      <TextInput
        label="Amount in USDC"
        description={`${moneyText(left.leftCents)} can be refunded.`}
        name="amount"
        inputMode="decimal"
        defaultValue={moneyText(left.leftCents)}
        autoComplete="off"
        required
      />
      <NativeSelect
        label="Reason"
        name="reason"
        defaultValue={defaultReason(of)}
        data={Object.entries(REASONS).map(([value, label]) => ({ value, label }))}
      />
      <AddressFields />
      <Textarea label="Note" description="For you alone. Optional." name="note" maxLength={2000} autosize />
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
    <Radio.Group value={way} onChange={setWay} label="Address">
      <Stack gap="xs" mt={6}>
        <Radio
          value="ask"
          label="Ask the customer"
          description="You get a link to send them. Money from an exchange has no way back to the wallet it came from."
        />
        <Radio value="enter" label="Enter an address" />
        {way === 'enter' && (
          <TextInput
            label="Solana address"
            description="The wallet that the customer told you. Money sent to a wrong one is lost."
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
          label="Take back credits"
          description="In proportion to the amount, once it is sent."
        />
      )}
      {of.isSubscription && (
        <Checkbox
          name="cancelSubscription"
          label="Cancel subscription"
          description="Immediately, once it is sent."
        />
      )}
      {of.hasCustomer && (
        <Checkbox
          name="notifyCustomer"
          label="E-mail the customer"
          description="When the money is sent; and the link, if you ask them for the address. Without e-mail you get that link here."
          defaultChecked
        />
      )}
    </>
  );
}
