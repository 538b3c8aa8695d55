import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

/** Who was invited and has not come yet. */
export function Invitations() {
  const { data, error } = useQuery({ queryKey: ['invitations'], queryFn: () => florin.invitations.list() });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading lines={2} />;
  if (data.length === 0) return <Text c="dimmed">Nobody is invited.</Text>;
  return (
    <SimpleTable
      caption="Invitations"
      titles={['E-mail', 'Role', 'Good until', '']}
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
            explanation={`The link for ${email} opens nothing any more.`}
            action={{
              run: () => florin.invitations.withdraw(id),
              done: 'The invitation is withdrawn.',
              refresh: ['invitations'],
            }}
          />,
        ],
      }))}
    />
  );
}
