import type { Member } from '@florin/sdk';
import { Group, NativeSelect } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { momentText } from '../parts/time.tsx';
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
        label="Change role"
        submit="Save"
        button={small}
        explanation="Takes effect immediately."
        action={{
          run: (given) => florin.members.update(member.id, { role: given.text('role') as Member['role'] }),
          done: 'Role changed.',
          refresh: ['members', 'session'],
        }}
      >
        <NativeSelect label="Role" name="role" data={ROLES} defaultValue={member.role} />
      </ActionDialogButton>
      {!isMe && (
        <>
          <ActionDialogButton
            label={member.isActive ? 'Disable' : 'Enable'}
            button={small}
            explanation={
              member.isActive
                ? `${member.name} will be signed out everywhere and can’t sign in.`
                : `${member.name} will be able to sign in again.`
            }
            action={{
              run: () => florin.members.update(member.id, { isActive: !member.isActive }),
              refresh: ['members'],
            }}
          />
          <ActionDialogButton
            label="Reset link"
            submit="Create link"
            button={small}
            explanation={`Lets ${member.name} choose a new password. This removes their passkeys and signs them out everywhere.`}
            action={{
              run: () => florin.members.createResetLink(member.id),
              onDone: ({ url, expiresAt }) =>
                onLink({ url, text: `For ${member.name}. It expires on ${momentText(expiresAt)}.` }),
            }}
          />
          <ActionDialogButton
            label="Remove"
            isDangerous
            button={small}
            explanation={`${member.name} will lose access permanently. API keys they created keep working: revoke any they know.`}
            action={{ run: () => florin.members.remove(member.id), refresh: ['members'] }}
          />
        </>
      )}
    </Group>
  );
}
