import type { PaymentException } from '@florin/sdk';
import { Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { KINDS } from './kinds.ts';

/** Undecided, and not held by a refund. */
export function isResolvable({ status, kind, refundId }: PaymentException): boolean {
  const isHeld = refundId !== null && kind !== 'over_refunded';
  return (status === 'open' || status === 'dust') && !isHeld;
}

/** An exception's two ways out, for owners: it decides where money counts. */
export function ResolveButton({ exception }: { exception: PaymentException }) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const isSentTwice = exception.kind === 'over_refunded';
  const [way, setWay] = useState(isSentTwice ? 'returned' : 'link');
  const action = useAction<FormValues, PaymentException>({
    run: (given) =>
      way === 'link'
        ? florin.exceptions.link(exception.id, { paymentIntentId: given.text('paymentIntentId') })
        : florin.exceptions.markReturned(exception.id, { note: given.text('note') || null }),
    done: ({ status }) => (status === 'linked' ? 'Matched.' : 'Marked as returned.'),
    refresh: ['exceptions', 'overview', 'intents', 'stats'],
    onDone: () => setOpen(false),
    showsError: true,
  });
  if (!can.own || !isResolvable(exception)) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        Resolve
      </Button>
      <FormDialog
        title={`${moneyText(exception.amountCents)} USDC`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={way === 'link' ? 'Match' : 'Mark as returned'}
        isBusy={action.isPending}
        error={action.error}
        onSubmit={action.mutate}
      >
        <Text size="sm">{KINDS[exception.kind]}</Text>
        <Radio.Group value={way} onChange={setWay} label="What is this payment?">
          <Stack gap="xs" mt={6}>
            {!isSentTwice && <Radio value="link" label="Match to an order" />}
            <Radio
              value="returned"
              label={isSentTwice ? 'It came back, or the customer keeps it' : 'I returned it'}
            />
          </Stack>
        </Radio.Group>
        {way === 'link' ? (
          <TextInput
            label="Payment ID"
            description="An open or expired payment to the same wallet."
            name="paymentIntentId"
            defaultValue={exception.paymentIntentId ?? ''}
            required
          />
        ) : (
          <TextInput
            label="Note"
            description="For your records, e.g. the transaction you returned it with. Optional."
            name="note"
          />
        )}
      </FormDialog>
    </>
  );
}
