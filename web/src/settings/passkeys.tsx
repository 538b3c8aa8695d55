import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { newPasskey } from '../app/passkey.ts';
import { useSession } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

/** Ways in that cannot be guessed or phished. */
export function Passkeys() {
  const { passkeysAvailable } = useSession();
  const { data, error } = useQuery({ queryKey: ['passkeys'], queryFn: () => florin.passkeys.list() });
  return (
    <Section title="Passkeys" actions={passkeysAvailable && <AddPasskey />}>
      {!passkeysAvailable && (
        <Text c="dimmed">Passkeys only work over HTTPS with a host name, or on http://localhost.</Text>
      )}
      {error ? (
        <Failed error={error} />
      ) : !data ? (
        <Loading lines={2} />
      ) : data.length === 0 ? (
        <Text c="dimmed">No passkeys yet. Sign in with your fingerprint, face or security key.</Text>
      ) : (
        <SimpleTable
          caption="Passkeys"
          titles={['Name', 'Storage', 'Added', 'Last used', '']}
          rows={data.map(({ id, name, isSynced, createdAt, lastUsedAt }) => ({
            id,
            cells: [
              name,
              isSynced ? 'Synced' : 'On one device',
              <Time key="c" at={createdAt} />,
              <Time key="u" at={lastUsedAt} />,
              <RemovePasskey key="r" id={id} name={name} />,
            ],
          }))}
        />
      )}
    </Section>
  );
}

function AddPasskey() {
  return (
    <ActionDialogButton
      label="Add a passkey"
      submit="Continue"
      button={{ variant: 'default' }}
      action={{
        run: async (given) => {
          const options = await florin.passkeys.start();
          return florin.passkeys.add({ name: given.text('name'), credential: await newPasskey(options) });
        },
        done: 'Passkey added.',
        refresh: ['passkeys'],
      }}
    >
      <TextInput
        label="Name"
        description="To recognize it later, e.g. Laptop."
        name="name"
        required
        data-autofocus
      />
    </ActionDialogButton>
  );
}

function RemovePasskey({ id, name }: { id: string; name: string }) {
  return (
    <ActionDialogButton
      label="Remove"
      isDangerous
      button={{ size: 'compact-xs' }}
      explanation={`You can no longer sign in with ${name}. Remove it from your device, too.`}
      action={{ run: () => florin.passkeys.remove(id), refresh: ['passkeys'] }}
    />
  );
}
