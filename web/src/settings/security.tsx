import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t } from '../words/t.ts';

/** Section in which owners decide how strictly they must prove who they are. */
export function Security() {
  const { data, error } = useQuery({
    queryKey: ['security'],
    queryFn: () => florin.dashboard.retrieveSecurity(),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading lines={2} />;
  const { requirePasskeys } = data;
  return (
    <Section title={t('Security')} actions={<RequirePasskeys isOn={requirePasskeys} />}>
      <Text c="dimmed">
        {requirePasskeys
          ? t('Owners with a passkey must use it to sign in and confirm.')
          : t('Owners can sign in and confirm with a password.')}
      </Text>
    </Section>
  );
}

function RequirePasskeys({ isOn }: { isOn: boolean }) {
  return (
    <ActionDialogButton
      label={isOn ? t('Allow passwords') : t('Require passkeys')}
      button={{ variant: 'default' }}
      explanation={
        isOn
          ? t('Owners will be able to sign in and confirm with their password again.')
          : t(
              'Owners with a passkey will no longer be able to use their password. You need a passkey yourself. An owner who loses theirs needs a reset link from another owner or the server admin.',
            )
      }
      action={{
        run: () => florin.dashboard.updateSecurity({ requirePasskeys: !isOn }),
        done: isOn ? t('Passwords are allowed again.') : t('Passkeys are now required for owners.'),
        refresh: ['security'],
      }}
    />
  );
}
