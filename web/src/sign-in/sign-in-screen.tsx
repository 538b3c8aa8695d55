import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { startSession } from '../app/session.ts';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInForm } from './sign-in-form.tsx';

const SETUP_COMMAND = 'npx florin setup-link';

export default function SignInScreen() {
  useEffect(() => {
    document.title = `${t('Sign in')} · Florin`;
  }, []);
  return (
    <SignInCard title={t('Sign in')}>
      <SignInForm
        merchantId={new URLSearchParams(location.search).get('merchant')}
        onSignedIn={startSession}
      />
      <Text size="xs" c="dimmed" mt="md">
        <T
          of="Can’t sign in? Ask an owner for a reset link. The server admin can run {command}."
          command={<code>{SETUP_COMMAND}</code>}
        />
      </Text>
    </SignInCard>
  );
}
