import type { Customer, PaymentException, PaymentExceptionSuggestions } from '@florin/sdk';
import { Button, Loader, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { CustomerField } from '../billing/customer-field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { UNDERPAID_REFRESH } from '../payments/underpaid-actions.tsx';
import { KINDS } from './kinds.ts';
import { OrderSearch } from './order-search.tsx';
import { SuggestedMatches } from './suggested-matches.tsx';
import { isResolvable, isUndoable, usualWay, type Way, waysOf } from './ways.ts';

const SUBMIT: Record<Way, string> = {
  link: 'Match',
  accept: 'Accept as paid',
  credit: 'Credit',
  keep: 'Keep',
  returned: 'Mark as returned',
};
const REFRESH = UNDERPAID_REFRESH;

/** Decides an exception and undoes the decision; for owners, because it decides where money counts. */
export function ResolveButton({ exception }: { exception: PaymentException }) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  if (!can.own) return null;
  if (isUndoable(exception)) return <UndoButton exception={exception} />;
  if (!isResolvable(exception)) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        Resolve
      </Button>
      {isOpen && <ResolveDialog exception={exception} onClose={() => setOpen(false)} />}
    </>
  );
}

function UndoButton({ exception }: { exception: PaymentException }) {
  const action = useAction({
    run: () => florin.exceptions.reopen(exception.id),
    done: 'It’s open again.',
    refresh: REFRESH,
  });
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={action.isPending}
      onClick={() => action.mutate()}
      aria-label={`Undo ${exception.status}`}
    >
      Undo
    </Button>
  );
}

interface ResolveDialogProps {
  exception: PaymentException;
  onClose(): void;
}

function ResolveDialog({ exception, onClose }: ResolveDialogProps) {
  const { id } = exception;
  const { data, isPending } = useQuery({
    queryKey: ['exceptions', id, 'suggestions'],
    queryFn: () => florin.exceptions.suggestions(id),
    staleTime: 0,
    gcTime: 0,
  });
  const suggestions = data?.suggestions ?? [];
  const [chosen, setChosen] = useState<Way>();
  const way = chosen ?? usualWay(exception, suggestions);
  const [orderId, setOrderId] = useState<string>();
  const intentId = orderId ?? suggestions[0]?.paymentIntentId ?? '';
  const [customer, setCustomer] = useState<Customer>();
  const needsCustomer = way === 'credit' && exception.balanceEntryId === null;
  const action = useAction<FormValues, { status: string | null }>({
    run: (given) => {
      const note = given.optional('note');
      if (way === 'link') return florin.exceptions.link(id, { paymentIntentId: intentId });
      if (way === 'accept') return florin.intents.accept(exception.paymentIntentId!);
      if (way === 'keep') return florin.exceptions.keep(id, { note });
      if (way === 'returned') return florin.exceptions.markReturned(id, { note });
      return florin.exceptions.credit(id, { ...(needsCustomer && { customerId: customer?.id }), note });
    },
    done: ({ status }) => DONE[status ?? ''] ?? 'Done.',
    refresh: REFRESH,
    onDone: onClose,
    showsError: true,
  });
  return (
    <FormDialog
      title={`${moneyText(exception.amountCents)} USDC`}
      isOpen
      onClose={onClose}
      submit={SUBMIT[way]}
      isBlocked={(way === 'link' && !intentId) || (needsCustomer && !customer)}
      isBusy={action.isPending}
      error={action.error}
      onSubmit={action.mutate}
    >
      <Text size="sm">{KINDS[exception.kind]}</Text>
      <Sender of={data} />
      {isPending ? (
        <Loader size="sm" aria-label="Loading suggestions" />
      ) : (
        <Ways exception={exception} way={way} onChange={setChosen} />
      )}
      {way === 'link' && suggestions.length > 0 && (
        <SuggestedMatches suggestions={suggestions} value={intentId} onChange={setOrderId} />
      )}
      {way === 'link' && (
        <OrderSearch
          label={suggestions.length > 0 ? 'Another order' : 'Which order?'}
          value={intentId}
          onChange={setOrderId}
        />
      )}
      {needsCustomer && <CustomerField chosen={customer} onChange={setCustomer} />}
      {way !== 'link' && way !== 'accept' && (
        <TextInput label="Note" description={NOTES[way]} name="note" key={way} maxLength={2000} />
      )}
    </FormDialog>
  );
}

const DONE: Record<string, string> = {
  succeeded: 'Accepted as paid.',
  linked: 'Matched.',
  returned: 'Marked as returned.',
  kept: 'Kept.',
  credited: 'Credited to the customer.',
};

const NOTES: Record<Exclude<Way, 'link' | 'accept'>, string> = {
  returned: 'For your records, e.g. the transaction you returned it with. Optional.',
  keep: 'For your records, e.g. “tip”. Optional.',
  credit: 'For your records. Optional.',
};

function Sender({ of }: { of: PaymentExceptionSuggestions | undefined }) {
  if (!of?.payerAddress) return null;
  return (
    <Text size="sm" component="div">
      Sent from <OnChain kind="address" text={of.payerAddress} label="sender’s wallet" />
    </Text>
  );
}

function Ways({
  exception,
  way,
  onChange,
}: {
  exception: PaymentException;
  way: Way;
  onChange(way: Way): void;
}) {
  const isSentTwice = exception.kind === 'over_refunded';
  const labels: Record<Way, string> = {
    link: 'Match to an order',
    accept: 'Accept it as paid: the order completes, and the rest is waived',
    credit:
      exception.balanceEntryId === null
        ? 'Credit it to a customer’s account'
        : 'Leave it as the customer’s account credit',
    keep: 'Keep it, e.g. as a tip',
    returned: isSentTwice ? 'It came back, or the customer keeps it' : 'I returned it',
  };
  return (
    <Radio.Group value={way} onChange={(next) => onChange(next as Way)} label="What is this payment?">
      <Stack gap="xs" mt={6}>
        {waysOf(exception).map((each) => (
          <Radio key={each} value={each} label={labels[each]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
