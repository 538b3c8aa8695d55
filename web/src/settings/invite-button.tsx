import type { InviteMemberRequest, NewInvitation } from '@florin/sdk';
import { NativeSelect, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { momentText } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import type { HandOver } from './members-screen.tsx';

export const ROLES = [
  { value: 'viewer', label: t('Viewer: read-only') },
  { value: 'developer', label: t('Developer: everything except payout addresses and members') },
  { value: 'owner', label: t('Owner: everything') },
];

export function InviteButton({ onLink }: { onLink(link: HandOver): void }) {
  return (
    <ActionDialogButton<NewInvitation>
      label={t('Invite')}
      action={{
        run: (given) =>
          florin.invitations.create({
            email: given.text('email'),
            role: given.text('role') as InviteMemberRequest['role'],
          }),
        refresh: ['invitations'],
        onDone: ({ url, email, expiresAt, isMailed }) =>
          onLink({
            url,
            text: [
              isMailed
                ? t('We also e-mailed it to {email}.', { email })
                : t('Send it to {email}.', { email }),
              t('It expires on {time}.', { time: momentText(expiresAt) }),
            ].join(' '),
          }),
      }}
    >
      <TextInput label={t('E-mail')} name="email" type="email" autoComplete="off" required data-autofocus />
      <NativeSelect label={t('Role')} name="role" data={ROLES} />
    </ActionDialogButton>
  );
}
