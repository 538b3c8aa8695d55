import type { MemberLink } from '@florin/sdk';
import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useState } from 'react';
import { florin, messageOf } from '../app/florin.ts';
import { startSession } from '../app/session.ts';
import { Loading } from '../parts/states.tsx';
import { momentText } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { SignInCard } from './sign-in-card.tsx';

const TITLES = {
  setup: t('Set up your dashboard'),
  invitation: t('Join'),
  reset: t('Choose a new password'),
};

/** Screen that a setup, invitation or reset link opens. */
export default function LinkScreen() {
  const { token } = useParams({ strict: false }) as { token: string };
  const { data: link, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => florin.dashboard.openLink({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = link ? TITLES[link.kind] : t('Your link');
  useEffect(() => {
    document.title = `${title} · Florin`;
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
          {explanation(link)}{' '}
          {t('This link works once and expires on {time}.', { time: momentText(link.expiresAt) })}
        </Text>
        {link.kind !== 'reset' && (
          <TextInput label={t('Your name')} name="name" autoComplete="name" required autoFocus />
        )}
        {link.email === null && link.kind === 'setup' ? (
          <TextInput label={t('E-mail')} name="email" type="email" autoComplete="username" required />
        ) : (
          link.email !== null && (
            <TextInput
              label={t('E-mail')}
              name="username"
              autoComplete="username"
              value={link.email}
              readOnly
            />
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

function explanation({ kind, merchantName: shop, role }: MemberLink): string {
  if (kind === 'invitation') return shop === null ? JOIN[role ?? 'viewer'] : joinText(shop, role);
  if (kind === 'setup')
    return shop === null
      ? t('You’ll be an owner of this shop.')
      : t('You’ll be an owner of {shop}.', { shop });
  return shop === null
    ? t('For your account at this shop. This removes your passkeys and signs you out everywhere else.')
    : t('For your account at {shop}. This removes your passkeys and signs you out everywhere else.', {
        shop,
      });
}

const JOIN = {
  owner: t('You’ll join this shop as an owner.'),
  developer: t('You’ll join this shop as a developer.'),
  viewer: t('You’ll join this shop as a viewer.'),
};

function joinText(shop: string, role: MemberLink['role']): string {
  if (role === 'owner') return t('You’ll join {shop} as an owner.', { shop });
  if (role === 'developer') return t('You’ll join {shop} as a developer.', { shop });
  return t('You’ll join {shop} as a viewer.', { shop });
}
