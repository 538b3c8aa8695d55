import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { Failed, Loading } from '../parts/states.tsx';

/** How strictly owners prove who they are; for owners. */
export function Security() {
  const { data, error } = useQuery({
    queryKey: ['security'],
    queryFn: () => florin.dashboard.retrieveSecurity(),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading lines={2} />;
  const { requirePasskeys } = data;
  return (
    <Section title="Security" actions={<RequirePasskeys isOn={requirePasskeys} />}>
      <Text c="dimmed">
        {requirePasskeys
          ? 'Owners who have a passkey sign in and confirm with it alone.'
          : 'Owners may sign in and confirm with a password.'}
      </Text>
    </Section>
  );
}

function RequirePasskeys({ isOn }: { isOn: boolean }) {
  return (
    <ActionDialogButton
      label={isOn ? 'Allow passwords' : 'Require passkeys'}
      button={{ variant: 'default' }}
      explanation={
        isOn
          ? 'Owners may sign in and confirm with their password again.'
          : 'Owners who have a passkey can no longer use their password. You need a passkey yourself. Whoever loses theirs gets back in by a link from another owner or the operator.'
      }
      action={{
        run: () => florin.dashboard.updateSecurity({ requirePasskeys: !isOn }),
        done: isOn ? 'Passwords are allowed again.' : 'Passkeys are required of owners.',
        refresh: ['security'],
      }}
    />
  );
}
