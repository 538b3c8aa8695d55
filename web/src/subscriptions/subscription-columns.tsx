import type { Subscription } from '@florin/sdk';
import { PriceName } from '../billing/names.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

/** Its current period is paid, or free. */
export const isRunning = ({ status }: Subscription) => status === 'active' || status === 'trialing';

export function SubscriptionStatus({ subscription }: { subscription: Subscription }) {
  const { status, cancelAtPeriodEnd } = subscription;
  return <Status of={isRunning(subscription) && cancelAtPeriodEnd ? 'canceling' : status} />;
}

/** Columns for the list on the customer screen. */
export const PLAN_COLUMNS: readonly Column<Subscription>[] = [
  { title: t('Plan'), cell: ({ priceId }) => <PriceName id={priceId} /> },
  {
    title: t('Status'),
    cell: (subscription) => <SubscriptionStatus subscription={subscription} />,
    share: '39%',
  },
  { title: t('Period ends'), cell: ({ currentPeriodEnd }) => <Time at={currentPeriodEnd} />, wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
