import type { BillingRevenueQuery, Revenue } from '@florin/sdk';
import { Anchor, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { Section } from '../parts/detail-screen.tsx';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { zoneText } from '../parts/time.tsx';
import { firstOf, useAddressSearch } from '../parts/use-search.ts';
import { t } from '../words/t.ts';
import { FirstSteps } from './first-steps.tsx';
import styles from './home-screen.module.css';
import { LatestPayments } from './latest-payments.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Numbers } from './numbers.tsx';
import { isRange, RangePicker } from './range-picker.tsx';
import { RevenueChart } from './revenue-chart.tsx';
import { TopCustomers, TopProducts } from './top-lists.tsx';

const REFRESH_MS = 60_000;

/** First screen of the day: is business going well, and does anything need me? */
export default function HomeScreen() {
  const [search] = useAddressSearch();
  const query = queryOf(search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['stats', 'revenue', query],
    queryFn: () => florin.billing.revenue(query),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <ScreenTitle title={t('Home')} />
      <FirstSteps />
      <RangePicker query={query} shown={data} />
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : data ? (
        <div className={styles.report} aria-busy={isPlaceholderData}>
          <Report revenue={data} projectId={query.projectId} />
        </div>
      ) : (
        <Loading lines={8} />
      )}
      <NeedsYou />
      {data && (data.topProducts.length > 0 || data.topCustomers.length > 0) && (
        <div className={styles.tops}>
          <TopProducts products={data.topProducts} />
          <TopCustomers customers={data.topCustomers} />
        </div>
      )}
      <Section
        title={t('Recent payments')}
        actions={
          <Anchor component={Link} to="/payments" size="sm">
            {t('View all')}
          </Anchor>
        }
      >
        <LatestPayments />
      </Section>
    </>
  );
}

/** The range and the project are in the address, so that a view can be bookmarked and sent. */
function queryOf(search: Record<string, string | string[]>): BillingRevenueQuery {
  const [range, from, to, projectId] = ['range', 'from', 'to', 'projectId'].map((name) =>
    firstOf(search[name]),
  );
  const project = projectId ? { projectId } : {};
  if (from && to) return { from, to, ...project };
  return { range: isRange(range) ? range : '30d', ...project };
}

function Report({ revenue, projectId }: { revenue: Revenue; projectId: string | undefined }) {
  const isEmpty =
    Number(revenue.current.paymentsCount) +
      Number(revenue.current.refundsCount) +
      Number(revenue.previous.paymentsCount) ===
    0;
  return (
    <section aria-label={t('Business')}>
      <Numbers revenue={revenue} />
      {isEmpty ? (
        <Text c="dimmed" className={styles.nothing}>
          {t('No payments in this period.')}
        </Text>
      ) : (
        <RevenueChart revenue={revenue} projectId={projectId} />
      )}
      <Text size="xs" c="dimmed" mt={6}>
        {!isEmpty && `${t('The dashed line is the period before.')} `}
        {revenue.timeZone === 'UTC'
          ? t('Days are in UTC.')
          : t('Days are in the time zone {zone}.', { zone: zoneText(revenue.timeZone) })}{' '}
        <Anchor component={Link} to="/settings" size="xs" underline="always">
          {t('Change time zone')}
        </Anchor>
      </Text>
    </section>
  );
}
