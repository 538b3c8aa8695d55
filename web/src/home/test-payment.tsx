import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan, useSession } from '../app/session.ts';
import { Icon } from '../parts/icon.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { t } from '../words/t.ts';

const TEST_CENTS = 100;

/** Requests a payment, pays it where money is not real, and follows it until it has arrived. */
export function TestPayment({ hasWallet }: { hasWallet: boolean }) {
  const can = useCan();
  const { network } = useSession();
  const [id, setId] = useState<string>();
  const pay = useAction({
    run: async () => {
      const intent = await florin.intents.create({
        amountCents: TEST_CENTS,
        orderId: `test-${crypto.randomUUID().slice(0, 8)}`,
      });
      setId(intent.id);
      if (can.playSandbox) await florin.sandbox.pay({ paymentIntentId: intent.id });
    },
    refresh: ['intents', 'onboarding'],
  });
  if (!hasWallet) return <Text size="sm">{t('Add your payout address first.')}</Text>;
  return (
    <>
      <Text size="sm" mb="xs">
        {network === 'sandbox'
          ? t('A payment of $1.00 is requested and paid with test money. It shows here as it arrives.')
          : t(
              'A payment of $1.00 is requested. Pay it with a wallet, and see it arrive here and in your own wallet.',
            )}
      </Text>
      <Group gap="sm">
        <Button size="xs" onClick={() => pay.mutate()} loading={pay.isPending}>
          {t('Make a test payment')}
        </Button>
        {id !== undefined && <Arrival id={id} />}
      </Group>
    </>
  );
}

function Arrival({ id }: { id: string }) {
  const { network } = useSession();
  const { data } = useQuery({ queryKey: ['intents', id], queryFn: () => florin.intents.retrieve(id) });
  if (!data) return null;
  return (
    <Group gap="xs" role="status">
      <Money cents={data.expectedAmountCents} />
      <Status of={data.status ?? 'pending'} />
      {data.status === 'pending' && data.paymentUrl && network !== 'sandbox' && (
        <Anchor href={`/intents/${id}`} target="_blank" size="sm">
          {t('Open the payment page')} <Icon name="external" size={12} />
        </Anchor>
      )}
      <Anchor component={Link} to={`/payments/${id}`} size="sm">
        {t('View payment')}
      </Anchor>
    </Group>
  );
}
