import { PasswordInput, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { renewSession, useSession } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { words } from '../parts/status.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

export default function AccountScreen() {
  const { member } = useSession();
  return (
    <>
      <SettingsTabs here="/settings/account" />
      <Section
        title="Profile"
        actions={
          <ActionDialogButton
            label="Change name"
            submit="Save"
            button={{ variant: 'default' }}
            action={{
              run: (given) => florin.dashboard.updateMe({ name: given.text('name') }),
              refresh: ['session', 'members'],
            }}
          >
            <TextInput label="Name" name="name" defaultValue={member.name} required />
          </ActionDialogButton>
        }
      >
        <Facts
          of={[
            ['Name', member.name],
            ['E-mail', member.email],
            ['Role', words(member.role)],
          ]}
        />
      </Section>
      <Section title="Password" actions={<ChangePassword />}>
        Changing it signs you out everywhere else.
      </Section>
      <Passkeys />
      <Sessions />
    </>
  );
}

function ChangePassword() {
  return (
    <ActionDialogButton
      label="Change password"
      button={{ variant: 'default' }}
      action={{
        run: async (given) =>
          renewSession(
            await florin.dashboard.changePassword({
              newPassword: given.exact('next'),
            }),
          ),
        done: 'Password changed.',
        refresh: ['sessions'],
      }}
    >
      <PasswordInput
        label="New password"
        description="At least 12 characters."
        name="next"
        autoComplete="new-password"
        minLength={12}
        required
      />
    </ActionDialogButton>
  );
}
