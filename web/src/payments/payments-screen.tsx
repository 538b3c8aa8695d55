import type { ExpandedPaymentIntent, IntentsListQuery } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import type { Search } from '../app/search.ts';
import { startOfDay } from '../app/time-zone.ts';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { centsIn, createdRange, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { t } from '../words/t.ts';
import { PAYMENT_COLUMNS } from './payment-columns.tsx';

const STATUSES = [
  'succeeded',
  'processing',
  'pending',
  'underpaid',
  'expired',
  'canceled',
  'failed',
] as const;

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: t('Status'), options: STATUSES },
  { kind: 'text', name: 'find', label: t('Find'), placeholder: t('Order, e-mail, transaction') },
  {
    kind: 'choice',
    name: 'paidVia',
    label: t('Paid via'),
    options: ['wallet', 'transfer', 'x402', 'mpp'],
    labels: { wallet: t('Wallet'), transfer: t('Transfer') },
  },
  { kind: 'money', name: 'amount', label: t('Amount') },
  { kind: 'date', name: 'from', label: t('Created from') },
  { kind: 'date', name: 'to', label: t('Created to') },
  { kind: 'date', name: 'succeededFrom', label: t('Succeeded from') },
  { kind: 'date', name: 'succeededTo', label: t('Succeeded to') },
];

/** Builds a query from a typed text, whose form shows what it is. */
function finding(text: string | undefined): IntentsListQuery {
  if (text === undefined) return {};
  if (text.includes('@')) return { customerEmail: text };
  if (/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return { txSignature: text };
  if (/^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(text)) return { referenceAddress: text };
  return { orderId: text };
}

/** Whole days, as the home page counts them. */
function succeededRange(search: Search): IntentsListQuery {
  const from = startOfDay(firstOf(search.succeededFrom));
  const to = startOfDay(firstOf(search.succeededTo), 1);
  return { ...(from && { succeededFrom: from }), ...(to && { succeededTo: to }) };
}

/** A new payment has no event yet. */
const REFRESH_MS = 15_000;

export default function PaymentsScreen() {
  const ownerFilters = useOwnerFilters();
  return (
    <ListScreen<ExpandedPaymentIntent, IntentsListQuery>
      title={t('Payments')}
      name="intents"
      columns={PAYMENT_COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        status: search.status as IntentsListQuery['status'],
        ...finding(firstOf(search.find)),
        paidVia: firstOf(search.paidVia) as IntentsListQuery['paidVia'],
        amountCents: centsIn(firstOf(search.amount)),
        projectId: firstOf(search.projectId),
        ...createdRange(search),
        ...succeededRange(search),
      })}
      load={(query) => florin.intents.list({ ...query, expand: ['purchase', 'outcome'] })}
      loadCsv={(query) => florin.intents.listCsv(query)}
      refetchInterval={REFRESH_MS}
      hrefOf={({ id }) => `/payments/${id}`}
      empty={
        <Empty title={t('No payments yet')}>
          {t('Payments you request through the API, a checkout, a payment link or a terminal appear here.')}
        </Empty>
      }
    />
  );
}
