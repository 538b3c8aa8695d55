import { Alert, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useEffect, useState } from 'react';
import { florin, messageOf } from '../app/florin.ts';
import { passkeyAnswer } from '../app/passkey.ts';
import { startSession } from '../app/session.ts';
import { SignInCard } from './sign-in-card.tsx';

export default function SignInScreen() {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Florin';
  }, []);

  async function enter(signIn: () => ReturnType<typeof florin.dashboard.signIn>) {
    setBusy(true);
    setProblem(undefined);
    try {
      startSession(await signIn());
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }
  const byPassword = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const merchantId = new URLSearchParams(location.search).get('merchant');
    const input = {
      email: String(form.get('email')).trim(),
      password: String(form.get('password')),
      ...(merchantId && { merchantId }),
    };
    void enter(() => florin.dashboard.signIn(input));
  };
  const byPasskey = () =>
    enter(async () => {
      const options = await florin.dashboard.startPasskeySignIn();
      return florin.dashboard.signInWithPasskey({ credential: await passkeyAnswer(options) });
    });
  return (
    <SignInCard title="Sign in">
      <form onSubmit={byPassword}>
        <Stack>
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
          <PasswordInput label="Password" name="password" autoComplete="current-password" required />
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isBusy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
      <Divider my="md" label="or" />
      <Button variant="default" fullWidth onClick={byPasskey} disabled={isBusy}>
        Use a passkey
      </Button>
      <Text size="xs" c="dimmed" mt="md">
        Can’t sign in? Ask an owner for a reset link. The server admin can run{' '}
        <code>npx florin setup-link</code>.
      </Text>
    </SignInCard>
  );
}
