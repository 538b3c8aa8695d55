import type { Onboarding } from '@florin/sdk';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Icon } from '../parts/icon.tsx';
import { firstOf, useAddressSearch } from '../parts/use-search.ts';
import { T } from '../words/rich.tsx';
import { t, tc, tn } from '../words/t.ts';
import styles from './first-steps.module.css';
import { GoLiveList } from './go-live-list.tsx';
import { StepLink } from './step-link.tsx';
import { TestPayment } from './test-payment.tsx';
import { WalletStep } from './wallet-step.tsx';

/** Deliveries and settings change without an event. */
const REFRESH_MS = 5_000;

/**
 * Five steps from an empty account to the first customer. The service checks each; when all are done the list is
 * gone.
 */
export function FirstSteps() {
  const { change } = useCan();
  const [search] = useAddressSearch();
  const isWanted = firstOf(search.steps) === 'all';
  const { data } = useQuery({
    queryKey: ['onboarding'],
    queryFn: () => florin.dashboard.retrieveOnboarding(),
    enabled: change,
    refetchInterval: (query) => (query.state.data?.isDone ? false : REFRESH_MS),
  });
  if (!data || (data.isDone && !isWanted)) return null;
  const steps = stepsOf(data);
  const next = steps.findIndex(({ isDone }) => !isDone);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-labelledby="first-steps" className={styles.steps}>
      <h2 id="first-steps" className={styles.title}>
        {t('Get ready for your first customer')}{' '}
        <small>{tn(doneCount, '{count} of 5 done', '{count} of 5 done')}</small>
      </h2>
      <ol>
        {steps.map(({ isDone, title, body }, at) => (
          <li key={title} data-done={isDone}>
            <details key={String(isDone)} open={at === next}>
              <summary>
                <span className={styles.mark} aria-hidden>
                  {isDone ? <Icon name="check" size={12} /> : at + 1}
                </span>
                <span>
                  {title} {isDone && <small>{tc('state', 'Done')}</small>}
                </span>
                <span className={styles.fold} aria-hidden>
                  <Icon name="fold" size={14} />
                </span>
              </summary>
              <div className={styles.body}>{body}</div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Step {
  isDone: boolean;
  title: string;
  body: ReactNode;
}

function stepsOf({ wallet, payment, paymentLink, delivery, goLive }: Onboarding): Step[] {
  return [
    { isDone: wallet.isDone, title: t('Check your payout wallet'), body: <WalletStep wallet={wallet} /> },
    {
      isDone: payment.isDone,
      title: t('See a test payment arrive'),
      body: <TestPayment hasWallet={wallet.payoutAddress !== null} />,
    },
    {
      isDone: paymentLink.isDone,
      title: t('Create a payment link'),
      body: (
        <Text size="sm">
          <T
            of="One link sells one thing, as often as you like. Send it, print it, or put it on your page. {link}"
            link={
              <StepLink href="/payment-links">
                {paymentLink.isDone ? t('Payment links') : t('Create a payment link')}
              </StepLink>
            }
          />
        </Text>
      ),
    },
    {
      isDone: delivery.isDone,
      title: t('Receive a test notification'),
      body: <DeliveryStep hasReceiver={delivery.hasReceiver} isDone={delivery.isDone} />,
    },
    { isDone: goLive.isDone, title: t('Go live'), body: <GoLiveList checks={goLive.checks} /> },
  ];
}

function DeliveryStep({ hasReceiver, isDone }: { hasReceiver: boolean; isDone: boolean }) {
  if (isDone)
    return <Text size="sm">{t('Something was delivered. Every delivery is on the Webhooks page.')}</Text>;
  return (
    <Text size="sm">
      {hasReceiver ? (
        <T
          of="Nothing has been delivered yet. Send a test from {webhooks} or {notifications}."
          webhooks={<StepLink href="/webhooks">{t('Webhooks')}</StepLink>}
          notifications={<StepLink href="/notifications">{t('Notifications')}</StepLink>}
        />
      ) : (
        <T
          of="Hear about payments: {notification} to a chat or by e-mail, or {webhook} for your program. Then send a test from there."
          notification={<StepLink href="/notifications">{t('set up a notification')}</StepLink>}
          webhook={<StepLink href="/webhooks">{t('a webhook')}</StepLink>}
        />
      )}
    </Text>
  );
}
