import type { ApiKey, GeneratedApiKey } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc } from '../words/t.ts';
import { CreateKeyButton } from './create-key-button.tsx';

const TITLES = [
  t('Name'),
  t('Key'),
  t('Permissions'),
  t('IP addresses'),
  t('Last used'),
  t('Expires'),
  t('Status'),
];

export default function ApiKeysScreen() {
  const { change } = useCan();
  const [made, setMade] = useState<GeneratedApiKey>();
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys'],
    queryFn: () => florin.apiKeys.list(),
    enabled: change,
  });
  if (!change)
    return (
      <Empty title={t('API keys are hidden from viewers')}>
        {t('Owners and developers can see them here.')}
      </Empty>
    );
  return (
    <>
      <ScreenTitle title={t('API keys')}>
        <CreateKeyButton onMade={setMade} />
      </ScreenTitle>
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Loading />
      ) : data.length === 0 ? (
        <Empty title={t('No API keys yet')}>{t('Your server uses an API key to call Florin.')}</Empty>
      ) : (
        <SimpleTable caption={t('API keys')} titles={[...TITLES, '']} rows={data.map(rowOf)} />
      )}
      <SecretDialog title={t('Your new API key')} secret={made?.apiKey} onClose={() => setMade(undefined)}>
        {t('Copy it now. You won’t be able to see it again.')}
      </SecretDialog>
    </>
  );
}

function rowOf(key: ApiKey) {
  return {
    id: key.id,
    cells: [
      key.name ?? '–',
      <code key="p">{key.prefix}…</code>,
      key.scopes.length === 4 ? tc('permissions', 'All') : key.scopes.join(', '),
      key.allowedAddresses?.join(', ') ?? tc('IP addresses', 'Any'),
      <Time key="u" at={key.lastUsedAt} />,
      <Time key="e" at={key.expiresAt} />,
      <Status key="s" of={key.revokedAt ? 'revoked' : 'active'} />,
      key.revokedAt ? null : <RevokeButton key="r" apiKey={key} />,
    ],
  };
}

function RevokeButton({ apiKey }: { apiKey: ApiKey }) {
  return (
    <ActionDialogButton
      label={t('Revoke')}
      isDangerous
      button={{ size: 'compact-xs' }}
      explanation={t('“{name}” will stop working immediately. This can’t be undone.', {
        name: apiKey.name ?? apiKey.prefix,
      })}
      action={{
        run: () => florin.apiKeys.revoke(apiKey.id),
        done: t('API key revoked.'),
        refresh: ['api-keys'],
      }}
    />
  );
}
