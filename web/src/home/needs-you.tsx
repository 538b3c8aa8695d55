import type {
  BillingOverview,
  CheckoutSession,
  ExpandedInvoice,
  PaymentIntent,
  Refund,
  RefundRequest,
} from '@florin/sdk';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { kindCount } from '../exceptions/kinds.ts';
import { Section } from '../parts/detail-screen.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t, tn } from '../words/t.ts';
import styles from './home-screen.module.css';
import { type Need, NeedRow } from './need-row.tsx';

const REFRESH_MS = 15_000;
const PAGE = 100;
/** Number of items of a kind that are listed by name. */
const NAMED = 3;

/** List of what needs a person's attention, and nothing else. */
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
  const checkouts = useQuery({
    queryKey: ['checkout-sessions', 'underpaid'],
    queryFn: () => florin.checkoutSessions.list({ paymentStatus: 'underpaid', limit: PAGE }).page(),
  });
  const refunds = useQuery({
    queryKey: ['refunds', 'waiting'],
    queryFn: () => florin.refunds.list({ status: ['awaiting_address', 'ready'], limit: PAGE }).page(),
  });
  const requests = useQuery({
    queryKey: ['refund-requests', 'first open'],
    queryFn: () => florin.refundRequests.list({ status: 'open', limit: PAGE }).page(),
  });
  const overdue = useQuery({
    queryKey: ['invoices', 'first overdue'],
    queryFn: () => florin.invoices.list({ isOverdue: 'true', limit: NAMED, expand: 'customer' }).page(),
  });
  const queries = [overview, underpaid, checkouts, refunds, requests, overdue];
  const error = queries.find((query) => query.error)?.error;
  if (error) return <Failed error={error} />;
  if (
    !overview.data ||
    !underpaid.data ||
    !checkouts.data ||
    !refunds.data ||
    !requests.data ||
    !overdue.data
  )
    return <Loading lines={3} />;
  const needs = [
    ...networkNeeds(overview.data),
    ...exceptionNeeds(overview.data),
    requestNeed(requests.data.data, requests.data.hasMore),
    ...refundNeeds(refunds.data.data, refunds.data.hasMore),
    underpaidNeed(underpaid.data.data, underpaid.data.hasMore, checkouts.data.data),
    deliveryNeed(overview.data),
    overdueNeed(overview.data, overdue.data.data),
  ].filter(({ count }) => count > 0);
  return (
    <Section title={t('Needs attention')}>
      {needs.length === 0 ? (
        <Text c="dimmed">{t('All caught up. Every payment is matched.')}</Text>
      ) : (
        <ul className={styles.needs}>
          {needs.map((need) => (
            <li key={need.text}>
              <NeedRow need={need} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function networkNeeds(overview: BillingOverview): Need[] {
  const [unread, disputed] = [Number(overview.unreadAddressesCount), Number(overview.disputedPaymentsCount)];
  return [
    {
      count: unread,
      text: tn(
        unread,
        'payout address can’t be read on the network; its payments are detected late',
        'payout addresses can’t be read on the network; their payments are detected late',
      ),
      to: '/settings',
    },
    {
      count: disputed,
      text: tn(
        disputed,
        'payment on hold: the Solana nodes disagree about it, and the server admin must decide',
        'payments on hold: the Solana nodes disagree about them, and the server admin must decide',
      ),
      to: '/payments',
      search: { status: 'processing' },
    },
  ];
}

/** Each kind for itself, by its name: what was paid twice is not a payment without an order. */
function exceptionNeeds({ openExceptions }: BillingOverview): Need[] {
  return openExceptions.map(({ kind, count, amountCents }) => ({
    count: Number(count),
    text: kindCount(kind, Number(count)),
    to: '/exceptions',
    search: { status: 'open', kind },
    ...(amountCents !== null && { cents: BigInt(amountCents) }),
  }));
}

function requestNeed(requests: readonly RefundRequest[], isMore: boolean): Need {
  return {
    count: requests.length,
    isMore,
    text: tn(requests.length, 'refund requested at a till', 'refunds requested at a till'),
    to: '/refunds',
    items: requests.slice(0, NAMED).map(({ id, orderId, paymentIntentId, receivedCents }) => ({
      ...{ id, name: orderId, to: `/payments/${paymentIntentId}`, cents: receivedCents },
    })),
  };
}

function refundNeeds(refunds: readonly Refund[], isMore: boolean): Need[] {
  const toApprove = refunds.filter(({ status, address }) => status !== 'ready' && address !== null);
  const ready = refunds.filter(({ status }) => status === 'ready');
  const amounts = (some: readonly Refund[]) => ({
    count: some.length,
    isMore,
    ...(!isMore && { cents: sumOf(some, ({ amountCents }) => amountCents) }),
    items: some.slice(0, NAMED).map(({ id, number, amountCents }) => ({
      ...{ id, name: number, to: `/refunds/${id}`, cents: amountCents },
    })),
  });
  return [
    {
      ...amounts(toApprove),
      text: tn(toApprove.length, 'refund address to approve', 'refund addresses to approve'),
      to: '/refunds',
      search: { status: 'awaiting_address' },
    },
    {
      ...amounts(ready),
      text: tn(ready.length, 'refund ready to send', 'refunds ready to send'),
      to: '/refunds',
      search: { status: 'ready' },
    },
  ];
}

/** Money for an order that can no longer be completed is listed as an exception. */
function underpaidNeed(
  intents: readonly PaymentIntent[],
  hasMore: boolean,
  checkouts: readonly CheckoutSession[],
): Need {
  const payable = intents.filter(({ paymentUrl }) => paymentUrl !== null);
  const checkoutOf = new Map(checkouts.map((checkout) => [checkout.paymentIntentId, checkout]));
  return {
    count: payable.length,
    isMore: hasMore && payable.length === intents.length,
    text: tn(payable.length, 'underpaid payment', 'underpaid payments'),
    to: '/payments',
    search: { status: 'underpaid' },
    ...(!hasMore && { cents: sumOf(payable, missingCents), isMissing: true }),
    items: payable.slice(0, NAMED).map((intent) => {
      const checkout = checkoutOf.get(intent.id);
      const person = checkout?.customerName ?? checkout?.customerEmail;
      return {
        id: intent.id,
        name:
          [intent.orderId ?? checkout?.merchantReference, person].filter(Boolean).join(' · ') || t('Payment'),
        to: `/payments/${intent.id}`,
        cents: missingCents(intent),
        isMissing: true,
        remindable: checkout?.customerEmail ? intent.id : undefined,
      };
    }),
  };
}

function missingCents({ expectedAmountCents, amountReceivedCents }: PaymentIntent): bigint {
  return BigInt(expectedAmountCents) - BigInt(amountReceivedCents);
}

function deliveryNeed(overview: BillingOverview): Need {
  const count = Number(overview.failingDeliveriesCount);
  return {
    count,
    text: tn(count, 'webhook delivery failing', 'webhook deliveries failing'),
    to: '/webhooks',
    search: { status: ['retrying', 'failed'] },
  };
}

function overdueNeed(overview: BillingOverview, first: readonly ExpandedInvoice[]): Need {
  const count = Number(overview.overdueInvoicesCount);
  return {
    count,
    text: tn(count, 'overdue invoice', 'overdue invoices'),
    to: '/invoices',
    search: { status: 'overdue' },
    cents: BigInt(overview.overdueInvoicesCents),
    items: first.map(({ id, number, customer, amountDueCents }) => ({
      id,
      name: [number, customer?.name ?? customer?.email].filter(Boolean).join(' · '),
      to: `/invoices/${id}`,
      cents: amountDueCents,
    })),
  };
}

function sumOf<Item>(items: readonly Item[], cents: (item: Item) => bigint | number): bigint {
  return items.reduce((sum, item) => sum + BigInt(cents(item)), 0n);
}
