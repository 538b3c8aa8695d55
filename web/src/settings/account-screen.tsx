import { PasswordInput, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { renewSession, useSession } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { words } from '../parts/status.tsx';
import { t } from '../words/t.ts';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

export default function AccountScreen() {
  const { member } = useSession();
  return (
    <>
      <SettingsTabs here="/settings/account" />
      <Section
        title={t('Profile')}
        actions={
          <ActionDialogButton
            label={t('Change name')}
            submit={t('Save')}
            button={{ variant: 'default' }}
            action={{
              run: (given) => florin.dashboard.updateMe({ name: given.text('name') }),
              refresh: ['session', 'members'],
            }}
          >
            <TextInput label={t('Name')} name="name" defaultValue={member.name} required />
          </ActionDialogButton>
        }
      >
        <Facts
          of={[
            [t('Name'), member.name],
            ['E-mail', member.email],
            [t('Role'), words(member.role)],
          ]}
        />
      </Section>
      <Section title={t('Password')} actions={<ChangePassword />}>
        {t('Changing it signs you out everywhere else.')}
      </Section>
      <Passkeys />
      <Sessions />
    </>
  );
}

function ChangePassword() {
  return (
    <ActionDialogButton
      label={t('Change password')}
      button={{ variant: 'default' }}
      action={{
        run: async (given) =>
          renewSession(
            await florin.dashboard.changePassword({
              newPassword: given.exact('next'),
            }),
          ),
        done: t('Password changed.'),
        refresh: ['sessions'],
      }}
    >
      <PasswordInput
        label={t('New password')}
        description={t('At least 12 characters.')}
        name="next"
        autoComplete="new-password"
        minLength={12}
        required
      />
    </ActionDialogButton>
  );
}
