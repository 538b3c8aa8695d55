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
import { OnChain } from '../parts/on-chain.tsx';
import { UNDERPAID_REFRESH } from '../payments/underpaid-actions.tsx';
import { T } from '../words/rich.tsx';
import { t, tc } from '../words/t.ts';
import { amountText } from './amount.tsx';
import { reasonTextOf } from './kinds.ts';
import { NamedOrder } from './named-order.tsx';
import { OrderSearch } from './order-search.tsx';
import { ReceiptChoice, useReceiver } from './receipt-choice.tsx';
import { SuggestedMatches } from './suggested-matches.tsx';
import { isResolvable, isUndoable, strongMatch, usualWay, type Way, waysOf } from './ways.ts';

const SUBMIT: Record<Way, string> = {
  link: t('Match'),
  accept: t('Accept as paid'),
  credit: tc('action', 'Credit'),
  keep: t('Keep'),
  returned: t('Mark as returned'),
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
        {t('Resolve')}
      </Button>
      {isOpen && <ResolveDialog exception={exception} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Labels for undoing each decision that can be undone. */
const UNDO: Readonly<Record<string, string>> = {
  returned: t('Undo returned'),
  kept: t('Undo kept'),
  credited: t('Undo credited'),
};

function UndoButton({ exception }: { exception: PaymentException }) {
  const action = useAction({
    run: () => florin.exceptions.reopen(exception.id),
    done: t('It’s open again.'),
    refresh: REFRESH,
  });
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={action.isPending}
      onClick={() => action.mutate()}
      aria-label={UNDO[exception.status]}
    >
      {t('Undo')}
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
  const intentId = orderId ?? strongMatch(suggestions)?.paymentIntentId ?? '';
  const receiver = useReceiver(exception, way === 'link' ? intentId : '');
  const [customer, setCustomer] = useState<Customer>();
  const needsCustomer = way === 'credit' && exception.balanceEntryId === null;
  const action = useAction<FormValues, { status: string | null }>({
    run: (given) => {
      const note = given.optional('note');
      if (way === 'link') {
        const receipt = receiver && { sendReceipt: given.isOn('sendReceipt') };
        return florin.exceptions.link(id, { paymentIntentId: intentId, ...receipt });
      }
      if (way === 'accept') return florin.intents.accept(exception.paymentIntentId!);
      if (way === 'keep') return florin.exceptions.keep(id, { note });
      if (way === 'returned') return florin.exceptions.markReturned(id, { note });
      return florin.exceptions.credit(id, { ...(needsCustomer && { customerId: customer?.id }), note });
    },
    done: ({ status }) => DONE[status ?? ''] ?? t('Done.'),
    refresh: REFRESH,
    onDone: onClose,
    showsError: true,
  });
  return (
    <FormDialog
      title={amountText(exception)}
      isOpen
      onClose={onClose}
      submit={way ? SUBMIT[way] : t('Resolve')}
      isBlocked={
        !way || (way === 'link' && (!intentId || receiver === undefined)) || (needsCustomer && !customer)
      }
      isBusy={action.isPending}
      error={action.error}
      onSubmit={action.mutate}
    >
      <Text size="sm">{reasonTextOf(exception)}</Text>
      {exception.paymentIntentId && <NamedOrder id={exception.paymentIntentId} />}
      <Sender of={data} />
      {isPending ? (
        <Loader size="sm" aria-label={t('Loading suggestions')} />
      ) : (
        <Ways exception={exception} way={way} onChange={setChosen} />
      )}
      {(way ?? 'link') === 'link' && suggestions.length > 0 && (
        <SuggestedMatches
          suggestions={suggestions}
          value={intentId}
          onChange={(id) => {
            setChosen('link');
            setOrderId(id);
          }}
        />
      )}
      {way === 'link' && (
        <OrderSearch
          label={suggestions.length > 0 ? t('Another order') : t('Which order?')}
          value={intentId}
          onChange={setOrderId}
        />
      )}
      {receiver && <ReceiptChoice customer={receiver} />}
      {needsCustomer && <CustomerField chosen={customer} onChange={setCustomer} />}
      {way && way !== 'link' && way !== 'accept' && (
        <TextInput label={t('Note')} description={NOTES[way]} name="note" key={way} maxLength={2000} />
      )}
    </FormDialog>
  );
}

const DONE: Record<string, string> = {
  succeeded: t('Accepted as paid.'),
  linked: t('Matched.'),
  returned: t('Marked as returned.'),
  kept: t('Kept.'),
  credited: t('Credited to the customer.'),
};

const NOTES: Record<Exclude<Way, 'link' | 'accept'>, string> = {
  returned: t('For your records, e.g. the transaction you returned it with. Optional.'),
  keep: t('For your records, e.g. “tip”. Optional.'),
  credit: t('For your records. Optional.'),
};

const PAYER_KINDS = {
  exchange: t('an exchange’s wallet, shared by its customers'),
  program: t('a program, e.g. a swap, a bridge or a multisig'),
};

function Sender({ of }: { of: PaymentExceptionSuggestions | undefined }) {
  if (!of?.payerAddress) return null;
  return (
    <Text size="sm" component="div">
      <T
        of="Sent from {wallet}"
        wallet={<OnChain kind="address" text={of.payerAddress} label={t('sender’s wallet')} />}
      />
      {of.payerKind !== null && of.payerKind !== 'wallet' && ` · ${PAYER_KINDS[of.payerKind]}`}
    </Text>
  );
}

function Ways({
  exception,
  way,
  onChange,
}: {
  exception: PaymentException;
  way: Way | undefined;
  onChange(way: Way): void;
}) {
  const isSentTwice = exception.kind === 'over_refunded';
  const labels: Record<Way, string> = {
    link: t('Match to an order'),
    accept: t('Accept it as paid: the order completes, and the rest is waived'),
    credit:
      exception.balanceEntryId === null
        ? t('Credit it to a customer’s account')
        : t('Leave it as the customer’s account credit'),
    keep: isSentTwice ? t('The customer keeps it') : t('Keep it, e.g. as a tip'),
    returned: isSentTwice ? t('It came back') : t('I returned it'),
  };
  return (
    <Radio.Group
      value={way ?? ''}
      onChange={(next) => onChange(next as Way)}
      label={t('What is this payment?')}
    >
      <Stack gap="xs" mt={6}>
        {waysOf(exception).map((each) => (
          <Radio key={each} value={each} label={labels[each]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
