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
        label="Role"
        submit="Save"
        button={small}
        explanation={`Counts from ${member.name}'s next step on.`}
        action={{
          run: (given) => florin.members.update(member.id, { role: given.text('role') as Member['role'] }),
          done: 'The role is changed.',
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
                ? `${member.name} is signed out everywhere and cannot sign in.`
                : `${member.name} can sign in again.`
            }
            action={{
              run: () => florin.members.update(member.id, { isActive: !member.isActive }),
              refresh: ['members'],
            }}
          />
          <ActionDialogButton
            label="Reset link"
            submit="Make the link"
            button={small}
            explanation={`For ${member.name}, who lost the way in. Using it ends their passkeys and sessions.`}
            action={{
              run: () => florin.members.createResetLink(member.id),
              onDone: ({ url, expiresAt }) =>
                onLink({ url, text: `For ${member.name}, good until ${momentText(expiresAt)}.` }),
            }}
          />
          <ActionDialogButton
            label="Remove"
            isDangerous
            button={small}
            explanation={`${member.name} loses access for good. Keys they made stay: revoke those they know.`}
            action={{ run: () => florin.members.remove(member.id), refresh: ['members'] }}
          />
        </>
      )}
    </Group>
  );
}
