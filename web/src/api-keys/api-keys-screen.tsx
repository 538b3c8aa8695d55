import type { ApiKey, GeneratedApiKey } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { CreateKeyButton } from './create-key-button.tsx';

const TITLES = ['Name', 'Key', 'May', 'From', 'Last used', 'Expires', 'State'];

export default function ApiKeysScreen() {
  const { change } = useCan();
  const [made, setMade] = useState<GeneratedApiKey>();
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys'],
    queryFn: () => florin.apiKeys.list(),
    enabled: change,
  });
  if (!change) return <Empty title="Keys are not for viewers">An owner or a developer sees them here.</Empty>;
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
        <Empty title="No keys yet">Your own server calls Florin with a key.</Empty>
      ) : (
        <SimpleTable caption="API keys" titles={[...TITLES, '']} rows={data.map(rowOf)} />
      )}
      <ShownOnce title="Your new key" secret={made?.apiKey} onClose={() => setMade(undefined)}>
        Keep it where your server finds it. It is shown now and never again.
      </ShownOnce>
    </>
  );
}

function rowOf(key: ApiKey) {
  return {
    id: key.id,
    cells: [
      key.name ?? '–',
      <code key="p">{key.prefix}…</code>,
      key.scopes.length === 4 ? 'everything' : key.scopes.join(', '),
      key.allowedAddresses?.join(', ') ?? 'anywhere',
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
      explanation={`${apiKey.name ?? apiKey.prefix} stops working at once, for good.`}
      action={{
        run: () => florin.apiKeys.revoke(apiKey.id),
        done: 'The key is revoked.',
        refresh: ['api-keys'],
      }}
    />
  );
}
