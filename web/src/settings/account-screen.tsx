import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { renewSession, useSession } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { LANGUAGE_NAMES, language, speak } from '../words/language.ts';
import { t } from '../words/t.ts';
import { Passkeys } from './passkeys.tsx';
import { ROLE_NAMES } from './role-names.ts';
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
            [t('E-mail'), member.email],
            [t('Role'), ROLE_NAMES[member.role]],
          ]}
        />
      </Section>
      <Section title={t('Language')}>
        <NativeSelect
          maw={420}
          label={t('Language of the dashboard')}
          description={t('For you alone, in this browser.')}
          value={language}
          onChange={(event) => speak(event.currentTarget.value)}
          data={Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }))}
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
