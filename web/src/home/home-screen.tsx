import type { MerchantStats } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { florin } from '../app/florin.ts';
import { numberText } from '../billing/price-text.ts';
import { Section } from '../parts/detail-screen.tsx';
import { moneyText } from '../parts/money.tsx';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './home-screen.module.css';
import { LatestPayments } from './latest-payments.tsx';
import { NeedsYou } from './needs-you.tsx';

const VolumeChart = lazy(() => import('./volume-chart.tsx'));

/** What a merchant opens in the morning: did money arrive, and does anything need me? */
export default function HomeScreen() {
  const {
    data: stats,
    error,
    refetch,
  } = useQuery({ queryKey: ['stats'], queryFn: () => florin.merchant.stats() });
  return (
    <>
      <ScreenTitle title="Home" />
      <FirstSteps />
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : stats ? (
        <Numbers stats={stats} />
      ) : (
        <Loading lines={4} />
      )}
      <NeedsYou />
      <Section
        title="Recent payments"
        actions={
          <Anchor component={Link} to="/payments" size="sm">
            View all
          </Anchor>
        }
      >
        <LatestPayments />
      </Section>
    </>
  );
}

function Numbers({ stats }: { stats: MerchantStats }) {
  const today = stats.chartData?.at(-1);
  return (
    <section aria-label="Money received">
      <dl className={styles.numbers}>
        <div>
          <dt>Today (UTC)</dt>
          <dd>
            {moneyText(today?.volumeCents ?? 0)} <small>USDC</small>
          </dd>
        </div>
        <div>
          <dt>Last 31 days</dt>
          <dd>
            {moneyText(stats.totalVolumeCents)} <small>USDC</small>
          </dd>
        </div>
        <div>
          <dt>Payments completed</dt>
          <dd>
            {numberText(stats.successfulTransactions)} <small>of {numberText(stats.totalTransactions)}</small>
          </dd>
        </div>
      </dl>
      {stats.chartData && BigInt(stats.totalVolumeCents) > 0n && (
        <Suspense fallback={<div className={styles.chart} />}>
          <VolumeChart days={stats.chartData} />
        </Suspense>
      )}
    </section>
  );
}
