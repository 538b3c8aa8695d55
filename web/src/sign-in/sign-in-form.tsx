import type { DashboardSession } from '@florin/sdk';
import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { codeOf, florin, messageOf } from '../app/florin.ts';
import { passkeyAnswer } from '../app/passkey.ts';
import { t } from '../words/t.ts';

interface SignInFormProps {
  /** The member who was signed in before; empty for anybody. */
  email?: string;
  /** Merchant to sign in to, if a member may belong to several. */
  merchantId: string | null;
  onSignedIn(session: DashboardSession): void;
}

/** Form to sign in by password or passkey. */
export function SignInForm({ email = '', merchantId, onSignedIn }: SignInFormProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function enter(signIn: () => Promise<DashboardSession>) {
    setBusy(true);
    setProblem(undefined);
    try {
      onSignedIn(await signIn());
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }
  const byPassword = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
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
    <>
      <form onSubmit={byPassword}>
        <Stack>
          <TextInput
            label={t('E-mail')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
            required
            autoFocus={email === ''}
          />
          <PasswordInput
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            required
            autoFocus={email !== ''}
          />
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isBusy} fullWidth>
            {t('Sign in')}
          </Button>
        </Stack>
      </form>
      <Divider my="md" label={t('or')} />
      <Button variant="default" fullWidth onClick={byPasskey} disabled={isBusy}>
        {t('Use a passkey')}
      </Button>
    </>
  );
}

/** Strangers who guess a password can make its owner wait in a new browser, and so it says what they cannot slow down. */
function problemOf(error: unknown): string {
  if (codeOf(error) !== 'RATE_LIMITED') return messageOf(error);
  return `${messageOf(error)} ${t('A passkey, a browser that you have signed in with before, or a link from an owner still works.')}`;
}
