import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { ROLE_NAMES } from './role-names.ts';

/** Members who were invited and have not joined yet. */
export function Invitations() {
  const { data, error } = useQuery({ queryKey: ['invitations'], queryFn: () => florin.invitations.list() });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading lines={2} />;
  if (data.length === 0) return <Text c="dimmed">{t('No pending invitations.')}</Text>;
  return (
    <SimpleTable
      caption={t('Invitations')}
      titles={[t('E-mail'), t('Role'), t('Expires'), '']}
      rows={data.map(({ id, email, role, expiresAt }) => ({
        id,
        cells: [
          email,
          ROLE_NAMES[role],
          <Time key="t" at={expiresAt} />,
          <ActionDialogButton
            key="w"
            label={t('Withdraw')}
            isDangerous
            button={{ size: 'compact-xs' }}
            explanation={t('The invitation link for {email} will stop working.', { email })}
            action={{
              run: () => florin.invitations.withdraw(id),
              done: t('Invitation withdrawn.'),
              refresh: ['invitations'],
            }}
          />,
        ],
      }))}
    />
  );
}
