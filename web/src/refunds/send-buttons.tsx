import type { Refund } from '@florin/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAction } from '../app/action.ts';
import { queryClient } from '../app/query-client.ts';
import { useCan } from '../app/session.ts';
import { t } from '../words/t.ts';
import { isUnderWay, sendWithTestWallet, useSenders } from './sending.ts';

interface SendButtonsProps {
  refunds: readonly Refund[];
  /** `Pay with Phantom`, `Send 3 refunds with Phantom`. */
  labelOf(wallet: string): string;
  onSent?(): void;
}

/** A button for each wallet of this browser, and in the sandbox one for the test wallet. None while one is under way. */
export function SendButtons({ refunds, labelOf, onSent }: SendButtonsProps) {
  const can = useCan();
  const senders = useSenders();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['refunds'] });
  const send = useAction<(refunds: readonly Refund[]) => Promise<void>>({
    // Also where it fails: somebody else may have sent it.
    run: (sendAll) => sendAll(refunds).finally(refresh),
    done: t('Sent. It is confirmed in a few seconds.'),
    onDone: () => onSent?.(),
  });
  if (!can.own) return null;
  if (!send.isPending && refunds.some(isUnderWay)) return <UnderWay />;
  return (
    <Group gap="xs">
      {senders.map(({ name, send: sendAll }) => (
        <Button key={name} size="xs" onClick={() => send.mutate(sendAll)} loading={send.isPending}>
          {labelOf(name)}
        </Button>
      ))}
      {can.playSandbox && (
        <Button
          size="xs"
          variant="default"
          onClick={() => send.mutate(sendWithTestWallet)}
          loading={send.isPending}
        >
          {t('Send with test wallet')}
        </Button>
      )}
      {senders.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No wallet in this browser can send on this network.')}
        </Text>
      )}
    </Group>
  );
}

const ASK_MS = 5_000;

/** Asks again until it has landed, or the chain shows that it never will. */
function UnderWay() {
  useQuery({
    queryKey: ['refund under way'],
    queryFn: async () => {
      await queryClient.invalidateQueries({ queryKey: ['refunds'] });
      return true;
    },
    refetchInterval: ASK_MS,
    staleTime: ASK_MS,
  });
  return (
    <Text size="sm" role="status">
      {t('A transaction is under way. Waiting for confirmation.')}
    </Text>
  );
}
