import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

/** Members who were invited and have not joined yet. */
export function Invitations() {
  const { data, error } = useQuery({ queryKey: ['invitations'], queryFn: () => florin.invitations.list() });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading lines={2} />;
  if (data.length === 0) return <Text c="dimmed">No pending invitations.</Text>;
  return (
    <SimpleTable
      caption="Invitations"
      titles={['E-mail', 'Role', 'Expires', '']}
      rows={data.map(({ id, email, role, expiresAt }) => ({
        id,
        cells: [
          email,
          words(role),
          <Time key="t" at={expiresAt} />,
          <ActionDialogButton
            key="w"
            label="Withdraw"
            isDangerous
            button={{ size: 'compact-xs' }}
            explanation={`The invitation link for ${email} will stop working.`}
            action={{
              run: () => florin.invitations.withdraw(id),
              done: 'Invitation withdrawn.',
              refresh: ['invitations'],
            }}
          />,
        ],
      }))}
    />
  );
}
