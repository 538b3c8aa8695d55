import { Button, Group, Text } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { useCan } from '../app/session.ts';
import { sendWithTestWallet, useIsSent, useSenders } from './sending.ts';

interface SendButtonsProps {
  ids: readonly string[];
  /** Before the wallet's name: `Pay with`, `Send 3 refunds with`. */
  verb: string;
  onSent?(): void;
}

/** A button for each wallet of this browser, and in the sandbox one for the test wallet. */
export function SendButtons({ ids, verb, onSent }: SendButtonsProps) {
  const can = useCan();
  const senders = useSenders();
  const isSent = useIsSent(ids);
  const send = useAction<(ids: readonly string[]) => Promise<void>>({
    run: (sendAll) => sendAll(ids),
    done: 'Sent. It is confirmed in a few seconds.',
    refresh: ['refunds'],
    onDone: () => onSent?.(),
  });
  if (!can.own) return null;
  if (isSent)
    return (
      <Text size="sm" role="status">
        Sent. Waiting for confirmation.
      </Text>
    );
  return (
    <Group gap="xs">
      {senders.map(({ name, send: sendAll }) => (
        <Button key={name} size="xs" onClick={() => send.mutate(sendAll)} loading={send.isPending}>
          {verb} {name}
        </Button>
      ))}
      {can.playSandbox && (
        <Button
          size="xs"
          variant="default"
          onClick={() => send.mutate(sendWithTestWallet)}
          loading={send.isPending}
        >
          Send with test wallet
        </Button>
      )}
      {senders.length === 0 && (
        <Text size="sm" c="dimmed">
          No wallet in this browser can send on this network.
        </Text>
      )}
    </Group>
  );
}
