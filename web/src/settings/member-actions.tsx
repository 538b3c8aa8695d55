import type { Member } from '@florin/sdk';
import { Group, NativeSelect } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { momentText } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { ROLES } from './invite-button.tsx';
import type { HandOver } from './members-screen.tsx';

interface MemberActionsProps {
  member: Member;
  isMe: boolean;
  onLink(link: HandOver): void;
}

export function MemberActions({ member, isMe, onLink }: MemberActionsProps) {
  const small = { size: 'compact-xs', variant: 'default' } as const;
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <ActionDialogButton
        label={t('Change role')}
        submit={t('Save')}
        button={small}
        explanation={t('Takes effect immediately.')}
        action={{
          run: (given) => florin.members.update(member.id, { role: given.text('role') as Member['role'] }),
          done: t('Role changed.'),
          refresh: ['members', 'session'],
        }}
      >
        <NativeSelect label={t('Role')} name="role" data={ROLES} defaultValue={member.role} />
      </ActionDialogButton>
      {!isMe && (
        <>
          <ActionDialogButton
            label={member.isActive ? t('Disable') : t('Enable')}
            button={small}
            explanation={
              member.isActive
                ? t('{name} will be signed out everywhere and can’t sign in.', { name: member.name })
                : t('{name} will be able to sign in again.', { name: member.name })
            }
            action={{
              run: () => florin.members.update(member.id, { isActive: !member.isActive }),
              refresh: ['members'],
            }}
          />
          <ActionDialogButton
            label={t('Reset link')}
            submit={t('Create link')}
            button={small}
            explanation={t(
              'Lets {name} choose a new password. This removes their passkeys and signs them out everywhere.',
              { name: member.name },
            )}
            action={{
              run: () => florin.members.createResetLink(member.id),
              onDone: ({ url, expiresAt }) =>
                onLink({
                  url,
                  text: t('For {name}. It expires on {time}.', {
                    name: member.name,
                    time: momentText(expiresAt),
                  }),
                }),
            }}
          />
          <ActionDialogButton
            label={t('Remove')}
            isDangerous
            button={small}
            explanation={t(
              '{name} will lose access permanently. API keys they created keep working: revoke any they know.',
              { name: member.name },
            )}
            action={{ run: () => florin.members.remove(member.id), refresh: ['members'] }}
          />
        </>
      )}
    </Group>
  );
}
