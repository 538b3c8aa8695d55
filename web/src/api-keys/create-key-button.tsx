import type { GeneratedApiKey, GenerateKeyRequest } from '@florin/sdk';
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Icon } from '../parts/icon.tsx';

const SCOPES = [
  ['payments:read', 'Read payments'],
  ['payments:write', 'Ask for payments'],
  ['billing:read', 'Read billing'],
  ['billing:write', 'Change billing'],
] as const;

export function CreateKeyButton({ onMade }: { onMade(key: GeneratedApiKey): void }) {
  const { own } = useCan();
  return (
    <ActionDialogButton<GeneratedApiKey>
      label="Create key"
      button={{ leftSection: <Icon name="plus" /> }}
      action={{
        run: (given) =>
          florin.apiKeys.generate({
            name: given.text('name'),
            scopes: given.all('scopes') as unknown as GenerateKeyRequest['scopes'],
            allowedAddresses: addressesIn(given.text('addresses')),
            ...(given.text('expires') && { expiresAt: new Date(given.text('expires')) }),
          }),
        refresh: ['api-keys'],
        onDone: onMade,
      }}
    >
      <TextInput label="Name" description="Where it is used, such as Web shop." name="name" required />
      <Checkbox.Group
        label="It may"
        description={
          own
            ? 'With all four it may also change the payout address: give it as few as it needs.'
            : 'Up to three; only an owner makes a key that may do everything.'
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
        label="Allowed addresses"
        description="IP addresses and CIDR ranges it may be used from, one per line. Optional."
        name="addresses"
        autosize
        minRows={2}
      />
      <TextInput type="date" label="Expires" description="Optional." name="expires" />
    </ActionDialogButton>
  );
}

/** Null for none: then it may be used from anywhere. */
function addressesIn(text: string): string[] | null {
  const addresses = text.split(/[\s,]+/).filter((address) => address !== '');
  return addresses.length > 0 ? addresses : null;
}
