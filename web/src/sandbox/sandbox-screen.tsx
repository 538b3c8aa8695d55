import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { queryClient } from '../app/query-client.ts';
import { useCan, useSession } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { moneyText } from '../parts/money.tsx';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { Empty, Failed } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { SendTestButton } from '../webhooks/send-test-button.tsx';
import { T } from '../words/rich.tsx';
import { t, tn } from '../words/t.ts';

const HOUR = 3_600;
const STEPS = [
  [tn(1, '{count} hour forward', '{count} hours forward'), HOUR],
  [tn(1, '{count} day forward', '{count} days forward'), 24 * HOUR],
  [tn(1, '{count} week forward', '{count} weeks forward'), 7 * 24 * HOUR],
  [tn(31, '{count} day forward', '{count} days forward'), 31 * 24 * HOUR],
] as const;

/** Everything that only a sandbox can do. */
export default function SandboxScreen() {
  const { playSandbox } = useCan();
  if (!playSandbox) {
    return (
      <Empty title={t('Sandbox tools aren’t available here')}>
        {t('They are for owners and developers on a sandbox server.')}
      </Empty>
    );
  }
  return (
    <>
      <ScreenTitle title={t('Sandbox')} />
      <Text c="dimmed" maw={640}>
        {t('A private Solana test network with test money. Everything else works as on mainnet.')}
      </Text>
      <ClockSection />
      <Section title={t('Test payment')}>
        <Text mb="xs">{t('Create a payment, then pay it from its own page.')}</Text>
        <NewPayment />
      </Section>
      <Section title={t('Test webhook')}>
        <Text mb="xs">{t('Send a sample event to your webhook URL.')}</Text>
        <SendTestButton />
      </Section>
      <ResetSection />
    </>
  );
}

function ClockSection() {
  const { data, error } = useQuery({
    queryKey: ['sandbox-clock'],
    queryFn: () => florin.sandbox.clock(),
    refetchInterval: 2_000,
  });
  const move = useAction<number>({
    run: (advanceSeconds) => florin.sandbox.moveClock({ advanceSeconds }),
    done: t('Clock moved. All due jobs have run.'),
    refresh: [
      'sandbox-clock',
      'intents',
      'stats',
      'overview',
      'invoices',
      'subscriptions',
      'checkout-sessions',
    ],
  });
  return (
    <Section title={t('Test clock')}>
      <Text mb="xs">
        <T
          of="The time is now {time}. Moving it forward runs renewals, expiries and reminders. It can’t be moved back."
          time={
            <strong>
              <Time at={data?.now} />
            </strong>
          }
        />
      </Text>
      {error && <Failed error={error} />}
      <Group gap="xs">
        {STEPS.map(([label, seconds]) => (
          <Button
            key={label}
            size="xs"
            variant="default"
            disabled={move.isPending}
            onClick={() => move.mutate(seconds)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Section>
  );
}

/** Typed as it is in every language. */
const RESET = 'reset';

/** Only owners may; the service decides again. */
function ResetSection() {
  const { own } = useCan();
  const { merchant } = useSession();
  if (!own) return null;
  return (
    <Section title={t('Reset')}>
      <Text mb="xs" maw={640}>
        {t(
          'Deletes all payments and billing data. Your account, members, API keys, webhook settings, payout wallets and projects are kept; invoice numbers start over.',
        )}
      </Text>
      <ActionDialogButton
        label={t('Reset sandbox')}
        submit={t('Delete everything')}
        isDangerous
        explanation={t(
          'All payments, customers, checkouts, invoices, subscriptions, usage, exceptions, events and deliveries are deleted. This can’t be undone.',
        )}
        action={{
          run: (given) => {
            if (given.text('word') !== RESET) throw new Error(t('Type {word} to confirm.', { word: RESET }));
            return florin.sandbox.reset({
              confirmMerchantId: merchant.id,
              keepCatalog: given.isOn('keepCatalog'),
            });
          },
          done: t('Sandbox reset.'),
          onDone: () => void queryClient.resetQueries(),
        }}
      >
        <Checkbox name="keepCatalog" label={t('Keep products, prices, payment links and terminals')} />
        <TextInput
          label={t('Type {word} to confirm', { word: RESET })}
          name="word"
          autoComplete="off"
          required
        />
      </ActionDialogButton>
    </Section>
  );
}

function NewPayment() {
  const navigate = useNavigate();
  return (
    <ActionDialogButton
      label={t('New payment')}
      submit={t('Create')}
      action={{
        run: (given) => {
          const amountCents = given.money('amount', t('Amount'));
          return florin.intents.create({ amountCents, orderId: given.text('orderId') });
        },
        refresh: ['intents'],
        onDone: ({ id }) => void navigate({ to: '/payments/$id', params: { id } as never }),
      }}
    >
      <TextInput
        label={t('Amount in USDC')}
        name="amount"
        inputMode="decimal"
        defaultValue={moneyText(1250)}
        required
      />
      <TextInput label={t('Order')} name="orderId" defaultValue="test-order" required />
    </ActionDialogButton>
  );
}
