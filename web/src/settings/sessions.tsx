import type { SignedInDevice } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { queryClient } from '../app/query-client.ts';
import { sessionQuery } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

const METHODS: Record<SignedInDevice['method'], string> = {
  password: t('Password'),
  passkey: t('Passkey'),
  link: t('Link'),
};

/** List of the member's own sessions. */
export function Sessions() {
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => florin.dashboard.listSessions(),
  });
  return (
    <Section title={t('Sessions')} actions={<SignOutEverywhere />}>
      {error ? (
        <Failed error={error} />
      ) : !data ? (
        <Loading lines={2} />
      ) : (
        <SimpleTable
          caption={t('Sessions')}
          titles={[t('Browser'), t('Method'), t('IP address'), t('Last seen'), '']}
          rows={data.map(rowOf)}
        />
      )}
    </Section>
  );
}

function rowOf(device: SignedInDevice) {
  return {
    id: device.id,
    cells: [
      device.isCurrent ? t('This browser') : (device.userAgent ?? t('Unknown')),
      METHODS[device.method],
      device.address,
      <Time key="t" at={device.lastSeenAt} />,
      device.isCurrent ? null : (
        <ActionDialogButton
          key="e"
          label={t('Sign out')}
          isDangerous
          button={{ size: 'compact-xs' }}
          explanation={t('That browser will have to sign in again.')}
          action={{ run: () => florin.dashboard.endSession(device.id), refresh: ['sessions'] }}
        />
      ),
    ],
  };
}

function SignOutEverywhere() {
  return (
    <ActionDialogButton
      label={t('Sign out everywhere')}
      isDangerous
      explanation={t('On every device, including this one.')}
      action={{
        run: () => florin.dashboard.signOutEverywhere(),
        onDone: () => queryClient.setQueryData(sessionQuery.queryKey, null),
      }}
    />
  );
}
