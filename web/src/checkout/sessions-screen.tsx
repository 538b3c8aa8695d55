import type { CheckoutSession, CheckoutSessionsListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { MODE_NAMES } from '../billing/price-text.ts';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { createdRange, DATE_FILTERS, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { t } from '../words/t.ts';
import { NewSession } from './new-session.tsx';
import { SESSION_COLUMNS } from './session-columns.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: ['open', 'complete', 'expired', 'canceled'],
  },
  {
    kind: 'choice',
    name: 'paymentStatus',
    label: t('Payment'),
    options: ['unpaid', 'processing', 'underpaid', 'paid'],
  },
  { kind: 'choice', name: 'mode', label: t('Type'), options: Object.keys(MODE_NAMES), labels: MODE_NAMES },
  { kind: 'text', name: 'merchantReference', label: t('Reference'), placeholder: t('Exact reference') },
  { kind: 'text', name: 'externalCustomerId', label: t('Customer'), placeholder: t('Your customer ID') },
  ...DATE_FILTERS,
];

export default function SessionsScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const ownerFilters = useOwnerFilters();
  const open = ({ id }: CheckoutSession) => void navigate({ to: `/checkout-sessions/${id}` });
  const create = can.change && <NewSession onDone={open} />;
  return (
    <ListScreen<CheckoutSession, CheckoutSessionsListQuery>
      title={t('Checkouts')}
      name="checkout-sessions"
      columns={SESSION_COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        status: search.status as CheckoutSessionsListQuery['status'],
        paymentStatus: search.paymentStatus as CheckoutSessionsListQuery['paymentStatus'],
        mode: search.mode as CheckoutSessionsListQuery['mode'],
        projectId: firstOf(search.projectId),
        customerId: firstOf(search.customerId),
        paymentLinkId: firstOf(search.paymentLinkId),
        merchantReference: firstOf(search.merchantReference),
        externalCustomerId: firstOf(search.externalCustomerId),
        ...createdRange(search),
      })}
      load={(query) => florin.checkoutSessions.list(query)}
      loadCsv={(query) => florin.checkoutSessions.listCsv(query)}
      hrefOf={({ id }) => `/checkout-sessions/${id}`}
      actions={create}
      empty={
        <Empty title={t('No checkouts yet')} action={create}>
          {t('A checkout is a one-time payment page. Create one here and send the link, or use the API.')}
        </Empty>
      }
    />
  );
}
