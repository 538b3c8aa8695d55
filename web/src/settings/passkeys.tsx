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
import { t } from '../words/t.ts';

/** Ways in that cannot be guessed or phished. */
export function Passkeys() {
  const { passkeysAvailable } = useSession();
  const { data, error } = useQuery({ queryKey: ['passkeys'], queryFn: () => florin.passkeys.list() });
  return (
    <Section title={t('Passkeys')} actions={passkeysAvailable && <AddPasskey />}>
      {!passkeysAvailable && (
        <Text c="dimmed">{t('Passkeys only work over HTTPS with a host name, or on http://localhost.')}</Text>
      )}
      {error ? (
        <Failed error={error} />
      ) : !data ? (
        <Loading lines={2} />
      ) : data.length === 0 ? (
        <Text c="dimmed">{t('No passkeys yet. Sign in with your fingerprint, face or security key.')}</Text>
      ) : (
        <SimpleTable
          caption={t('Passkeys')}
          titles={[t('Name'), t('Storage'), t('Added'), t('Last used'), '']}
          rows={data.map(({ id, name, isSynced, createdAt, lastUsedAt }) => ({
            id,
            cells: [
              name,
              isSynced ? t('Synced') : t('On one device'),
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
      label={t('Add a passkey')}
      submit={t('Continue')}
      button={{ variant: 'default' }}
      action={{
        run: async (given) => {
          const options = await florin.passkeys.start();
          return florin.passkeys.add({ name: given.text('name'), credential: await newPasskey(options) });
        },
        done: t('Passkey added.'),
        refresh: ['passkeys'],
      }}
    >
      <TextInput
        label={t('Name')}
        description={t('To recognize it later, e.g. Laptop.')}
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
      label={t('Remove')}
      isDangerous
      button={{ size: 'compact-xs' }}
      explanation={t('You can no longer sign in with {name}. Remove it from your device, too.', { name })}
      action={{ run: () => florin.passkeys.remove(id), refresh: ['passkeys'] }}
    />
  );
}
