import type { MemberLink } from '@florin/sdk';
import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useState } from 'react';
import { florin, messageOf } from '../app/florin.ts';
import { startSession } from '../app/session.ts';
import { Loading } from '../parts/states.tsx';
import { momentText } from '../parts/time.tsx';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
import { SignInCard } from './sign-in-card.tsx';

const TITLES = {
  setup: t('Set up your dashboard'),
  invitation: t('Join'),
  reset: t('Choose a new password'),
};

/** Where a set-up, invitation or reset link leads. */
export default function LinkScreen() {
  const { token } = useParams({ strict: false }) as { token: string };
  const { data: link, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => florin.dashboard.openLink({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = link ? TITLES[link.kind] : t('Your link');
  useEffect(() => {
    document.title = t('{title} · Florin', { title });
  }, [title]);
  return (
    <SignInCard title={title}>
      {link ? (
        <LinkForm link={link} token={token} />
      ) : error ? (
        <>
          <Alert color="red" role="alert" mb="md">
            {messageOf(error)}
          </Alert>
          <Anchor href="/dashboard">{t('Go to sign-in')}</Anchor>
        </>
      ) : (
        <Loading lines={3} />
      )}
    </SignInCard>
  );
}

function LinkForm({ link, token }: { link: MemberLink; token: string }) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function use(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => String(form.get(name) ?? '').trim();
    setBusy(true);
    try {
      // biome-ignore lint/correctness/useHookAtTopLevel: an operation of the service, no hook.
      const session = await florin.dashboard.useLink({
        token,
        password: String(form.get('password')),
        ...(link.email === null && link.kind === 'setup' && { email: given('email') }),
        ...(link.kind !== 'reset' && { name: given('name') }),
      });
      startSession(session);
      // The token must not stay in the URL: it is used up.
      await navigate({ to: '/', replace: true });
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <form onSubmit={use}>
      <Stack>
        <Text size="sm" c="dimmed">
          <T
            of="{link} This link works once and expires on {expiresAt}."
            link={explanation(link)}
            expiresAt={momentText(link.expiresAt)}
          />
        </Text>
        {link.kind !== 'reset' && (
          <TextInput label={t('Your name')} name="name" autoComplete="name" required autoFocus />
        )}
        {link.email === null && link.kind === 'setup' ? (
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
        ) : (
          link.email !== null && (
            <TextInput label="E-mail" name="username" autoComplete="username" value={link.email} readOnly />
          )
        )}
        <PasswordInput
          label={t('Password')}
          description={t('At least 12 characters. Use a password manager to create one.')}
          name="password"
          autoComplete="new-password"
          minLength={12}
          required
        />
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>
          {link.kind === 'reset' ? t('Set password and sign in') : t('Go to the dashboard')}
        </Button>
      </Stack>
    </form>
  );
}

function explanation({ kind, merchantName, role }: MemberLink): string {
  const shop = merchantName ?? 'this shop';
  if (kind === 'setup') return t('You’ll be an owner of {shop}.', { shop });
  if (kind === 'invitation') return `You’ll join ${shop} as ${role === 'owner' ? 'an' : 'a'} ${role}.`;
  return t('For your account at {shop}. This removes your passkeys and signs you out everywhere else.', {
    shop,
  });
}
