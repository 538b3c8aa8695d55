import type { Subscription, SubscriptionsListQuery } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { CustomerName } from '../billing/names.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { PLAN_COLUMNS } from './subscription-columns.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: ['active', 'trialing', 'past_due', 'incomplete', 'canceled', 'incomplete_expired'],
    labels: { incomplete_expired: 'Never started' },
  },
  { kind: 'text', name: 'externalCustomerId', label: 'Customer', placeholder: 'Your customer ID' },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<Subscription>[] = [
  { title: 'Customer', cell: ({ customerId }) => <CustomerName id={customerId} /> },
  ...PLAN_COLUMNS.slice(0, -1),
  { title: 'Access', cell: ({ hasAccess }) => (hasAccess ? 'Yes' : 'No'), wideOnly: true },
  ...PLAN_COLUMNS.slice(-1),
];

export default function SubscriptionsScreen() {
  const ownerFilters = useOwnerFilters();
  return (
    <ListScreen<Subscription, SubscriptionsListQuery>
      title="Subscriptions"
      name="subscriptions"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        status: search.status as SubscriptionsListQuery['status'],
        projectId: firstOf(search.projectId),
        customerId: firstOf(search.customerId),
        priceId: firstOf(search.priceId),
        externalCustomerId: firstOf(search.externalCustomerId),
        ...createdRange(search),
      })}
      load={(query) => florin.subscriptions.list(query)}
      loadCsv={(query) => florin.subscriptions.listCsv(query)}
      hrefOf={({ id }) => `/subscriptions/${id}`}
      empty={
        <Empty
          title="No subscriptions yet"
          action={
            <Anchor component={Link} to="/catalog">
              Go to catalog
            </Anchor>
          }
        >
          Subscriptions start when a customer pays for a recurring price or starts its trial.
        </Empty>
      }
    />
  );
}
