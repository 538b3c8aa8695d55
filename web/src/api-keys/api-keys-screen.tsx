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
import { CreateKeyButton } from './create-key-button.tsx';

const TITLES = ['Name', 'Key', 'Permissions', 'IP addresses', 'Last used', 'Expires', 'Status'];

export default function ApiKeysScreen() {
  const { change } = useCan();
  const [made, setMade] = useState<GeneratedApiKey>();
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys'],
    queryFn: () => florin.apiKeys.list(),
    enabled: change,
  });
  if (!change)
    return <Empty title="API keys are hidden from viewers">Owners and developers can see them here.</Empty>;
  return (
    <>
      <ScreenTitle title="API keys">
        <CreateKeyButton onMade={setMade} />
      </ScreenTitle>
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Loading />
      ) : data.length === 0 ? (
        <Empty title="No API keys yet">Your server uses an API key to call Florin.</Empty>
      ) : (
        <SimpleTable caption="API keys" titles={[...TITLES, '']} rows={data.map(rowOf)} />
      )}
      <SecretDialog title="Your new API key" secret={made?.apiKey} onClose={() => setMade(undefined)}>
        Copy it now. You won’t be able to see it again.
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
      key.scopes.length === 4 ? 'All' : key.scopes.join(', '),
      key.allowedAddresses?.join(', ') ?? 'Any',
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
      label="Revoke"
      isDangerous
      button={{ size: 'compact-xs' }}
      explanation={`“${apiKey.name ?? apiKey.prefix}” will stop working immediately. This can’t be undone.`}
      action={{
        run: () => florin.apiKeys.revoke(apiKey.id),
        done: 'API key revoked.',
        refresh: ['api-keys'],
      }}
    />
  );
}
