import type { PayoutAddress } from '@florin/sdk';
import { Alert, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
import { ActionDialogButton } from './action-dialog-button.tsx';
import { momentText, Time } from './time.tsx';

/** The notification after a change was requested: it took effect, or when it will. */
export const payoutChangeText =
  (done: string) =>
  ({ pendingChange }: { pendingChange?: PayoutAddress['pendingChange'] | undefined }) =>
    pendingChange
      ? t('Change scheduled. It takes effect on {time}.', {
          time: momentText(pendingChange.takesEffectAt),
        })
      : done;

interface PendingChangeProps {
  change: PayoutAddress['pendingChange'] | undefined;
  /** Sentence that describes the new value. */
  children: ReactNode;
  refresh: readonly string[];
}

/** A change of where money goes that has yet to take effect, with the owner's way to stop it. */
export function PendingPayoutChangeNote({ change, children, refresh }: PendingChangeProps) {
  const can = useCan();
  if (!change) return null;
  return (
    <Alert color="gray" mt="sm" maw={640}>
      <Text fw={600}>{t('Change pending')}</Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}{' '}
        <T
          of="It takes effect on {time}. Requested by {name}."
          time={<Time at={change.takesEffectAt} />}
          name={change.requestedBy}
        />
      </Text>
      {can.own && (
        <Group mt="xs">
          <ActionDialogButton
            label={t('Cancel change')}
            isDangerous
            explanation={t(
              'Nothing will change. If you didn’t request this, also revoke any API key you don’t recognize.',
            )}
            action={{
              run: () => florin.merchant.cancelPayoutChange(change.id),
              done: t('Change canceled.'),
              refresh,
            }}
          />
        </Group>
      )}
    </Alert>
  );
}
