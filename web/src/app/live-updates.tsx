import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { florin } from './florin.ts';
import { noteSignedOut, queryClient } from './query-client.ts';

const EVERY_MS = 2_000;

/** What is read again after an event, by the first word of its name. */
const CONCERNS: Record<string, readonly string[]> = {
  payment_intent: ['intents', 'stats', 'overview', 'exceptions'],
  checkout: ['checkout-sessions', 'payment-links', 'intents', 'stats', 'overview'],
  invoice: ['invoices', 'overview'],
  refund: ['refunds', 'intents', 'invoices', 'exceptions', 'overview'],
  subscription: ['subscriptions', 'overview'],
  customer: ['customers', 'overview'],
};

/** Follows the events of the merchant: whatever happens elsewhere shows here without loading again. */
export function LiveUpdates() {
  const cursor = useRef<string>('latest');
  const { error } = useQuery({
    queryKey: ['live'],
    queryFn: async () => {
      const page = await florin.events.list({ after: cursor.current, limit: 100 });
      cursor.current = page.nextCursor ?? cursor.current;
      refresh(page.data.map(({ event }) => event));
      return page.data.length;
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => noteSignedOut(error), [error]);
  return null;
}

function refresh(events: readonly string[]): void {
  if (events.length === 0) return;
  const names = new Set(['webhook-deliveries']);
  for (const event of events) for (const name of CONCERNS[event.split('.')[0]!] ?? []) names.add(name);
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name] });
}
