import type { GoLiveCheck } from '@florin/sdk';
import { Anchor, Text } from '@mantine/core';
import { Icon } from '../parts/icon.tsx';
import { t, tc } from '../words/t.ts';
import styles from './first-steps.module.css';

const TEXTS: Record<GoLiveCheck['name'], { title: string; hint: string }> = {
  mainnet: { title: t('Mainnet'), hint: t('Set FLORIN_NETWORK=mainnet. Until then money is not real.') },
  https: { title: t('A public address with https'), hint: t('Set PUBLIC_URL to your https address.') },
  backup: { title: t('A backup'), hint: t('Run “npx florin backup” on the server, every day.') },
  second_way_in: {
    title: t('A second way to sign in'),
    hint: t('Invite a second member, or add a passkey to your account, both under Settings.'),
  },
  support_address: {
    title: t('A support address'),
    hint: t('Customers reply to it. Set it in the settings of your project.'),
  },
};

/** Checks on the way to real money that the service can make itself. */
export function GoLiveList({ checks }: { checks: readonly GoLiveCheck[] }) {
  return (
    <>
      <ul className={styles.checks}>
        {checks.map(({ name, isDone }) => (
          <li key={name} data-done={isDone}>
            <span className={styles.mark} aria-hidden>
              {isDone && <Icon name="check" size={12} />}
            </span>
            <Text size="sm">
              {TEXTS[name].title}{' '}
              {isDone ? <small>{tc('state', 'Done')}</small> : <small>{TEXTS[name].hint}</small>}
            </Text>
          </li>
        ))}
      </ul>
      <Anchor href="/docs/going-live" size="sm" underline="always">
        {t('The whole guide to going live')}
      </Anchor>
    </>
  );
}
