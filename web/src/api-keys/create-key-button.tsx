import type { GeneratedApiKey, GenerateKeyRequest } from '@florin/sdk';
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { startOfDay } from '../app/time-zone.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { t } from '../words/t.ts';

const SCOPES = [
  ['payments:read', t('Read payments')],
  ['payments:write', t('Create payments')],
  ['billing:read', t('Read billing')],
  ['billing:write', t('Manage billing')],
] as const;

export function CreateKeyButton({ onMade }: { onMade(key: GeneratedApiKey): void }) {
  const { own } = useCan();
  return (
    <ActionDialogButton<GeneratedApiKey>
      label={t('Create key')}
      button={{ leftSection: <Icon name="plus" /> }}
      action={{
        run: (given) =>
          florin.apiKeys.generate({
            name: given.text('name'),
            scopes: given.all('scopes') as unknown as GenerateKeyRequest['scopes'],
            allowedAddresses: addressesIn(given.text('addresses')),
            ...(given.text('expires') && { expiresAt: startOfDay(given.text('expires')) }),
          }),
        refresh: ['api-keys'],
        onDone: onMade,
      }}
    >
      <TextInput label={t('Name')} description={t('Where it’s used, e.g. Web shop.')} name="name" required />
      <Checkbox.Group
        label={t('Permissions')}
        description={
          own
            ? t('A key with all four can also change the payout address. Grant only what it needs.')
            : t('Choose up to three. Only an owner can create a key with full access.')
        }
        defaultValue={['payments:read', 'payments:write']}
      >
        <Stack gap={8} mt={8}>
          {SCOPES.map(([scope, label]) => (
            <Checkbox key={scope} name="scopes" value={scope} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Textarea
        label={t('Allowed IP addresses')}
        description={t('IP addresses or CIDR ranges the key can be used from, one per line. Optional.')}
        name="addresses"
        autosize
        minRows={2}
      />
      <TextInput type="date" label={t('Expires')} description={t('Optional.')} name="expires" />
    </ActionDialogButton>
  );
}

/** Null for none: then it may be used from anywhere. */
function addressesIn(text: string): string[] | null {
  const addresses = text.split(/[\s,،]+/).filter((address) => address !== '');
  return addresses.length > 0 ? addresses : null;
}
