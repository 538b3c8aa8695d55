import {
  AppShell,
  Burger,
  Group,
  Menu,
  ScrollArea,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t, tc } from '../words/t.ts';
import { useAction } from './action.ts';
import { CreateMenu } from './create-menu.tsx';
import styles from './layout.module.css';
import { LiveUpdates } from './live-updates.tsx';
import { SearchBox } from './search-box.tsx';
import { signOut, useSession } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { SideBar } from './side-bar.tsx';
import { SignInAgainDialog } from './sign-in-again.tsx';
import { StepUpDialog } from './step-up.tsx';

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
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header className={styles.header}>
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
      </AppShell.Header>
      <AppShell.Navbar className={styles.navbar} p="xs">
        <ScrollArea>
          <SideBar />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </AppShell.Main>
      <StepUpDialog />
      <Shortcuts />
      <LiveUpdates />
      <SignInAgainDialog />
    </AppShell>
  );
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
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={styles.account}>
          <VisuallyHidden>{t('Account menu: {name}', { name: member.name })}</VisuallyHidden>
          <span aria-hidden="true">{initials(member.name)}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {member.name}
          <br />
          {member.email} · {ROLE_NAMES[member.role] ?? member.role}
        </Menu.Label>
        <Menu.Item onClick={() => navigate({ to: '/settings/account' })}>{t('Your account')}</Menu.Item>
        <Menu.Item onClick={() => leave.mutate()}>{t('Sign out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => [...part][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
