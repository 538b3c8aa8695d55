import type { Customer, CustomerErasure } from '@florin/sdk';
import { Button, Checkbox, Progress, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { queryClient } from '../app/query-client.ts';
import { customerText } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { NotFound } from '../parts/detail-screen.tsx';
import { moneyText } from '../parts/money.tsx';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t, tn } from '../words/t.ts';

/** The address has to be typed, because it cannot be undone. */
export function DeleteCustomer({
  customer,
  onDone,
}: {
  customer: Customer;
  onDone(erasure: CustomerErasure): void;
}) {
  const word = customer.email ?? customer.name ?? 'delete';
  const left = giveUpText(customer);
  return (
    <ActionDialogButton
      label={t('Delete')}
      submit={t('Delete customer')}
      isDangerous
      explanation={t(
        '{customer} disappears immediately: from lists and search, from the portal, and from checkouts that could still be paid. Then everything recorded about them is overwritten. Paid invoices keep what the law requires. This can’t be undone.',
        { customer: customerText(customer) },
      )}
      action={{
        run: (given) => {
          if (given.text('word') !== word) throw new Error(t('Type {word} to confirm.', { word }));
          return florin.customers.delete(customer.id, { discardBalance: given.isOn('discardBalance') });
        },
        onDone,
      }}
    >
      {left && <Checkbox name="discardBalance" label={left} />}
      <TextInput label={t('Type {word} to confirm', { word })} name="word" autoComplete="off" required />
    </ActionDialogButton>
  );
}

/** Undefined where they have nothing left. */
function giveUpText({ creditBalance, accountCreditCents }: Customer): string | undefined {
  const hasCredits = BigInt(creditBalance) > 0n;
  const amount = moneyText(accountCreditCents);
  if (BigInt(accountCreditCents) <= 0n)
    return hasCredits
      ? tn(
          creditBalance,
          'Give up {count} credit that they have left',
          'Give up {count} credits that they have left',
        )
      : undefined;
  if (!hasCredits) return t('Give up {amount} USDC that they have left', { amount });
  return tn(
    creditBalance,
    'Give up {count} credit and {amount} USDC that they have left',
    'Give up {count} credits and {amount} USDC that they have left',
    { amount },
  );
}

/** Shown for a customer who is not found, perhaps because they were deleted. */
export function DeletedCustomer({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['customer-erasure', id],
    queryFn: () => florin.customers.retrieveErasure(id),
    retry: false,
  });
  if (data) return <ErasureProgress erasure={data} />;
  return error ? <NotFound /> : <Loading />;
}

/** Progress of overwriting a deleted customer. */
export function ErasureProgress({ erasure }: { erasure: CustomerErasure }) {
  const navigate = useNavigate();
  const { data = erasure, error } = useQuery({
    queryKey: ['customer-erasure', erasure.customerId],
    queryFn: () => florin.customers.retrieveErasure(erasure.customerId),
    refetchInterval: ({ state }) => (state.data?.status === 'erased' ? false : 1_000),
  });
  const isDone = data.status === 'erased';
  const [done, total] = [Number(data.done), Number(data.total ?? 0)];
  const leave = () => {
    void queryClient.invalidateQueries();
    void navigate({ to: '/customers' });
  };
  return (
    <>
      <ScreenTitle title={t('Customer deleted')} />
      {error && <Failed error={error} />}
      <Text mb="xs">
        {isDone
          ? t('Everything recorded about them is overwritten.')
          : t('Overwriting what was recorded about them: {done} of {total}. You can leave this page.', {
              done: numberText(done),
              total: total === 0 ? '…' : numberText(total),
            })}
      </Text>
      {data.isStuck && (
        <Text mb="xs" c="red" role="alert">
          {t(
            'Nothing has been overwritten for 10 minutes. Ask the operator of your Florin to run “florin doctor”.',
          )}
        </Text>
      )}
      <Progress
        aria-label={t('Overwritten')}
        value={isDone ? 100 : total === 0 ? 0 : (100 * done) / total}
        mb="md"
        maw={640}
      />
      <Button variant="default" size="xs" onClick={leave}>
        {t('Back to customers')}
      </Button>
    </>
  );
}
