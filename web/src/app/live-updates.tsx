import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { t } from '../words/t.ts';
import { codeOf, florin } from './florin.ts';
import styles from './layout.module.css';
import { noteSignedOut, queryClient, signingInAgain } from './query-client.ts';

const EVERY_MS = 2_000;

/** Queries that are read again after an event, by the first word of its name. */
const CONCERNS: Record<string, readonly string[]> = {
  payment_intent: ['onboarding', 'intents', 'stats', 'overview', 'exceptions'],
  checkout: ['checkout-sessions', 'payment-links', 'intents', 'stats', 'overview'],
  invoice: ['invoices', 'stats', 'overview'],
  refund: ['refunds', 'intents', 'invoices', 'exceptions', 'stats', 'overview'],
  refund_request: ['refund-requests', 'refunds'],
  subscription: ['subscriptions', 'stats', 'overview'],
  customer: ['customers', 'overview'],
};

/** Follows the events of the merchant: whatever happens elsewhere shows here without loading again. */
export function LiveUpdates() {
  const cursor = useRef<string>('latest');
  const isSignedOut = signingInAgain.useIsOpen();
  const { error, fetchStatus } = useQuery({
    queryKey: ['live'],
    queryFn: async () => {
      const page = await florin.events.list({ after: cursor.current, limit: 100 });
      cursor.current = page.nextCursor ?? cursor.current;
      refresh(page.data.map(({ event }) => event));
      return page.data.length;
    },
    refetchInterval: EVERY_MS,
    enabled: !isSignedOut,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => noteSignedOut(error), [error]);
  const isOffline = fetchStatus === 'paused';
  if (!isOffline && codeOf(error) !== 'CONNECTION_FAILED') return null;
  return (
    <div className={styles.offline} role="status">
      {isOffline ? t('You’re offline.') : t('Can’t reach the server.')}{' '}
      {t('What you see may be out of date. The page will update when the connection is back.')}
    </div>
  );
}

function refresh(events: readonly string[]): void {
  if (events.length === 0) return;
  const names = new Set(['webhook-deliveries']);
  for (const event of events) for (const name of CONCERNS[event.split('.')[0]!] ?? []) names.add(name);
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name] });
}
