import type { ExpandedSubscription, SubscriptionsListQuery } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { customerText } from '../billing/names.tsx';
import { planText } from '../billing/price-text.ts';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { Lead } from '../parts/lead.tsx';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { SubscriptionStatus } from './subscription-columns.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: ['active', 'trialing', 'past_due', 'incomplete', 'canceled', 'incomplete_expired'],
  },
  { kind: 'text', name: 'externalCustomerId', label: 'Customer', placeholder: 'Your customer ID' },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<ExpandedSubscription>[] = [
  {
    title: 'Customer',
    cell: (subscription) => <Lead who={whoOf(subscription)} what={planOf(subscription)} />,
    share: '56%',
  },
  { title: 'Plan', cell: planOf, wideOnly: true },
  { title: 'Status', cell: (subscription) => <SubscriptionStatus subscription={subscription} /> },
  { title: 'Period ends', cell: ({ currentPeriodEnd }) => <Time at={currentPeriodEnd} />, wideOnly: true },
  { title: 'Access', cell: ({ hasAccess }) => (hasAccess ? 'Yes' : 'No'), wideOnly: true },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function whoOf({ customer, externalCustomerId }: ExpandedSubscription): string {
  return customer ? customerText(customer) : (externalCustomerId ?? 'Deleted customer');
}

function planOf({ price }: ExpandedSubscription): string {
  return price ? planText(price, price.product?.name) : '…';
}

export default function SubscriptionsScreen() {
  const ownerFilters = useOwnerFilters();
  return (
    <ListScreen<ExpandedSubscription, SubscriptionsListQuery>
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
      load={(query) => florin.subscriptions.list({ ...query, expand: ['customer', 'price.product'] })}
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
