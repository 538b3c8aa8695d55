import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Icon } from '../parts/icon.tsx';
import styles from './home-screen.module.css';

/** The way from an empty account to the first money. Each step checks itself off; when all are done the list is gone. */
export function FirstSteps() {
  const { change } = useCan();
  const profile = useQuery({
    queryKey: ['profile'],
    queryFn: () => florin.merchant.retrieve(),
    enabled: change,
  });
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: () => florin.apiKeys.list(), enabled: change });
  const links = useQuery({
    queryKey: ['payment-links', 'any'],
    queryFn: () => florin.paymentLinks.list({ limit: 1 }).page(),
    enabled: change,
  });
  const stats = useQuery({ queryKey: ['stats'], queryFn: () => florin.merchant.stats(), enabled: change });
  if (!profile.data || !keys.data || !links.data || !stats.data) return null;
  const hasKey = keys.data.some(({ revokedAt }) => revokedAt === null);
  const steps = [
    { isDone: profile.data.payoutAddress !== null, text: 'Add your payout address', to: '/settings' },
    { isDone: links.data.data.length > 0, text: 'Create a payment link', to: '/payment-links' },
    { isDone: hasKey, text: 'Create an API key', to: '/api-keys' },
    { isDone: profile.data.webhookUrl !== null, text: 'Set up webhooks', to: '/webhooks' },
    { isDone: stats.data.successfulTransactions > 0, text: 'Receive your first payment', to: '/payments' },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps" className={styles.title}>
        Get ready for your first payment
      </h2>
      <ul className={styles.steps}>
        {steps.map(({ isDone, text, to }) => (
          <li key={text} data-done={isDone}>
            <span className={styles.mark}>{isDone && <Icon name="check" size={12} />}</span>
            {isDone ? (
              <Text span>
                {text} <small>(done)</small>
              </Text>
            ) : (
              <Anchor component={Link} to={to}>
                {text}
              </Anchor>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
