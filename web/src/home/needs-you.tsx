import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { Section } from '../parts/detail-screen.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import styles from './home-screen.module.css';

const REFRESH_MS = 15_000;
const PAGE = 100;

interface Need {
  count: number;
  /** Only the first page of them was counted. */
  isMore?: boolean;
  /** For one, and for more. */
  text: [string, string];
  to: string;
  search?: Record<string, string | string[]>;
}

/** What needs a person's attention, and nothing else. */
export function NeedsYou() {
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: () => florin.billing.overview(),
    refetchInterval: REFRESH_MS,
  });
  const underpaid = useQuery({
    queryKey: ['intents', 'underpaid'],
    queryFn: () => florin.intents.list({ status: 'underpaid', limit: PAGE }).page(),
  });
  const refunds = useQuery({
    queryKey: ['refunds', 'waiting'],
    queryFn: () => florin.refunds.list({ status: ['awaiting_address', 'ready'], limit: PAGE }).page(),
  });
  const error = overview.error ?? underpaid.error ?? refunds.error;
  if (error) return <Failed error={error} />;
  if (!overview.data || !underpaid.data || !refunds.data) return <Loading lines={3} />;
  const { data } = overview;
  const all: Need[] = [
    {
      count: Number(data.unreadAddressesCount),
      text: [
        'payout address can’t be read on the network; its payments are detected late',
        'payout addresses can’t be read on the network; their payments are detected late',
      ],
      to: '/settings',
    },
    {
      count: Number(data.disputedPaymentsCount),
      text: [
        'payment on hold: the Solana nodes disagree about it, and the server admin must decide',
        'payments on hold: the Solana nodes disagree about them, and the server admin must decide',
      ],
      to: '/payments',
      search: { status: 'processing' },
    },
    {
      count: Number(data.openExceptionsCount),
      text: ['unmatched payment to review', 'unmatched payments to review'],
      to: '/exceptions',
      search: { status: 'open' },
    },
    {
      count: refunds.data.data.filter(({ status, address }) => status !== 'ready' && address !== null).length,
      isMore: refunds.data.hasMore,
      text: ['refund address to approve', 'refund addresses to approve'],
      to: '/refunds',
      search: { status: 'awaiting_address' },
    },
    {
      count: refunds.data.data.filter(({ status }) => status === 'ready').length,
      isMore: refunds.data.hasMore,
      text: ['refund ready to send', 'refunds ready to send'],
      to: '/refunds',
      search: { status: 'ready' },
    },
    {
      count: underpaid.data.data.length,
      isMore: underpaid.data.hasMore,
      text: ['underpaid payment', 'underpaid payments'],
      to: '/payments',
      search: { status: 'underpaid' },
    },
    {
      count: Number(data.failingDeliveriesCount),
      text: ['webhook delivery failing', 'webhook deliveries failing'],
      to: '/webhooks',
      search: { status: ['retrying', 'failed'] },
    },
    {
      count: Number(data.overdueInvoicesCount),
      text: ['overdue invoice', 'overdue invoices'],
      to: '/invoices',
      search: { status: 'open' },
    },
    {
      count: Number(data.subscriptions.past_due),
      text: ['renewal past due', 'renewals past due'],
      to: '/subscriptions',
      search: { status: 'past_due' },
    },
  ];
  const needs = all.filter(({ count }) => count > 0);
  return (
    <Section title="Needs attention">
      {needs.length === 0 ? (
        <Text c="dimmed">All caught up. Every payment is matched.</Text>
      ) : (
        <ul className={styles.needs}>
          {needs.map((need) => (
            <li key={need.text[0]}>
              <NeedRow need={need} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function NeedRow({ need: { count, isMore, text, to, search } }: { need: Need }) {
  const words = (
    <>
      <span className={styles.count}>{`${count}${isMore ? '+' : ''}`}</span> {text[count === 1 ? 0 : 1]}
    </>
  );
  return (
    <Link to={to} search={search as never} data-row>
      {words}
    </Link>
  );
}
