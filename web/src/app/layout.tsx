import { Burger, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, useEffect, useRef } from 'react';
import { OnceNeeded } from '../parts/once-needed.tsx';
import { t, tc } from '../words/t.ts';
import { useAction } from './action.ts';
import { useIsConfirming } from './confirmation.ts';
import { CreateMenu } from './create-menu.tsx';
import { untilFetched, useHasBeenIdle } from './idle.ts';
import { LateMenu } from './late-menu.tsx';
import styles from './layout.module.css';
import { LiveUpdates } from './live-updates.tsx';
import { signingInAgain } from './query-client.ts';
import { SearchBox } from './search-box.tsx';
import { signOut, useSession } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { SideBar } from './side-bar.tsx';

const SignInAgainDialog = lazy(() => import('./sign-in-again.tsx'));
const StepUpDialog = lazy(() => import('./step-up.tsx'));

/** The names of Solana's own networks are the same everywhere. */
const NETWORK_NAMES: Readonly<Record<string, string>> = { sandbox: tc('network', 'sandbox') };

const ROLE_NAMES: Readonly<Record<string, string>> = {
  owner: tc('role', 'owner'),
  developer: tc('role', 'developer'),
  viewer: tc('role', 'viewer'),
};

/** Everything around a screen. */
export default function Layout() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useFocusOnArrival(close);
  const { network } = useSession();
  return (
    <>
      <header className={styles.header}>
        <a className={styles.skip} href="#main">
          {t('Skip to content')}
        </a>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={t('Menu')}
            aria-expanded={isOpen}
          />
          <MerchantName />
          {network !== 'mainnet' && (
            <span className={styles.network}>{NETWORK_NAMES[network] ?? network}</span>
          )}
          <SearchBox />
          <CreateMenu />
          <AccountMenu />
        </Group>
      </header>
      <div className={styles.navbar} data-open={isOpen}>
        <SideBar />
      </div>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <OnceNeeded isNeeded={useIsConfirming()}>{(isShown) => <StepUpDialog isOpen={isShown} />}</OnceNeeded>
      <Shortcuts />
      <LiveUpdates />
      <OnceNeeded isNeeded={signingInAgain.useIsOpen()}>
        {(isShown) => <SignInAgainDialog isOpen={isShown} />}
      </OnceNeeded>
      <Fetched />
    </>
  );
}

/**
 * Loads code that the first view did without, and the screens that are opened most: a click should not wait for them.
 */
function Fetched() {
  const hasBeenIdle = useHasBeenIdle();
  useEffect(() => {
    if (hasBeenIdle) void untilFetched(() => import('./rest.ts')).then(({ fetchRest }) => fetchRest());
  }, [hasBeenIdle]);
  return null;
}

/** A new screen is announced by moving the focus to it; the page that was opened first keeps the browser's own. */
function useFocusOnArrival(onArrival: () => void) {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    onArrival();
    main.current?.focus({ preventScroll: true });
  }, [path, onArrival]);
  return main;
}

function MerchantName() {
  const { merchant } = useSession();
  return (
    <Text fw={650} truncate className={styles.merchant}>
      {merchant.name ?? t('Your shop')}
    </Text>
  );
}

function AccountMenu() {
  const { member } = useSession();
  const navigate = useNavigate();
  const leave = useAction({ run: signOut });
  return (
    <LateMenu
      button={
        <UnstyledButton className={styles.account}>
          <VisuallyHidden>{t('Account menu: {name}', { name: member.name })}</VisuallyHidden>
          <span aria-hidden="true">{initials(member.name)}</span>
        </UnstyledButton>
      }
      width={220}
      heading={
        <>
          {member.name}
          <br />
          {member.email} · {ROLE_NAMES[member.role] ?? member.role}
        </>
      }
      items={() => [
        { label: t('Your account'), run: () => void navigate({ to: '/settings/account' }) },
        { label: t('Sign out'), run: () => leave.mutate() },
      ]}
    />
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => [...part][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
