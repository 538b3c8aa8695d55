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
import { t } from '../words/t.ts';
import { SubscriptionStatus } from './subscription-columns.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: ['active', 'trialing', 'past_due', 'incomplete', 'canceled', 'incomplete_expired'],
  },
  { kind: 'text', name: 'externalCustomerId', label: t('Customer'), placeholder: t('Your customer ID') },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<ExpandedSubscription>[] = [
  {
    title: t('Customer'),
    cell: (subscription) => <Lead who={whoOf(subscription)} what={planOf(subscription)} />,
    share: '56%',
  },
  { title: t('Plan'), cell: planOf, wideOnly: true },
  { title: t('Status'), cell: (subscription) => <SubscriptionStatus subscription={subscription} /> },
  { title: t('Period ends'), cell: ({ currentPeriodEnd }) => <Time at={currentPeriodEnd} />, wideOnly: true },
  { title: t('Access'), cell: ({ hasAccess }) => (hasAccess ? t('Yes') : t('No')), wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function whoOf({ customer, externalCustomerId }: ExpandedSubscription): string {
  return customer ? customerText(customer) : (externalCustomerId ?? t('Deleted customer'));
}

function planOf({ price }: ExpandedSubscription): string {
  return price ? planText(price, price.product?.name) : '…';
}

export default function SubscriptionsScreen() {
  const ownerFilters = useOwnerFilters();
  return (
    <ListScreen<ExpandedSubscription, SubscriptionsListQuery>
      title={t('Subscriptions')}
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
          title={t('No subscriptions yet')}
          action={
            <Anchor component={Link} to="/catalog">
              {t('Go to catalog')}
            </Anchor>
          }
        >
          {t('Subscriptions start when a customer pays for a recurring price or starts its trial.')}
        </Empty>
      }
    />
  );
}
