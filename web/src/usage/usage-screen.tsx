import type { UsageListSummariesQuery, UsageSummary } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { startOfDay, timeZone } from '../app/time-zone.ts';
import { numberText } from '../billing/price-text.ts';
import { ProjectName } from '../billing/project-field.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { dateLocale } from '../words/language.ts';
import { t, tc } from '../words/t.ts';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'by',
    label: t('Group by'),
    options: ['month', 'total'],
    none: tc('time span', 'Day'),
    labels: { month: tc('time span', 'Month'), total: t('Total') },
  },
  { kind: 'text', name: 'metric', label: t('Metric'), placeholder: t('e.g. images') },
  { kind: 'date', name: 'from', label: t('From') },
  { kind: 'date', name: 'to', label: t('To') },
];

const COLUMNS: readonly Column<UsageSummary>[] = [
  { title: t('Period'), cell: periodText },
  { title: t('Metric'), cell: ({ metric }) => metric },
  { title: t('Quantity'), cell: ({ quantity }) => numberText(quantity), align: 'right' },
  { title: t('Records'), cell: ({ recordCount }) => numberText(recordCount), align: 'right', wideOnly: true },
  {
    title: t('Credits used'),
    cell: ({ creditsUsed }) => numberText(creditsUsed),
    align: 'right',
    wideOnly: true,
  },
  { title: t('Project'), cell: ({ projectId }) => <ProjectName id={projectId} />, wideOnly: true },
];

export default function UsageScreen() {
  const ownerFilters = useOwnerFilters();
  return (
    <ListScreen<UsageSummary, UsageListSummariesQuery>
      title={t('Usage')}
      name="usage"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        granularity: (firstOf(search.by) as UsageListSummariesQuery['granularity']) ?? 'day',
        projectId: firstOf(search.projectId),
        metric: firstOf(search.metric),
        customerId: firstOf(search.customerId),
        subscriptionId: firstOf(search.subscriptionId),
        from: startOfDay(firstOf(search.from)),
        to: startOfDay(firstOf(search.to), 1),
      })}
      load={(query) => florin.usage.listSummaries(query)}
      loadCsv={(query) => florin.usage.listSummariesCsv(query)}
      idOf={({ periodStart, metric, projectId }) => `${periodStart} ${metric} ${projectId}`}
      refetchInterval={15_000}
      empty={
        <Empty
          title={t('No usage yet')}
          action={<Anchor href="/docs/credits-and-usage">{t('How to sell credits and meter usage')}</Anchor>}
        >
          {t(
            'Your server records what customers use through the API. Totals by day and month appear here, with the credits used.',
          )}
        </Empty>
      }
    />
  );
}

function periodText({ periodStart, periodEnd }: UsageSummary): string {
  if (periodStart === null && periodEnd === null) return t('Total');
  const form = { month: 'long', year: 'numeric', timeZone: timeZone() } as const;
  const month = new Intl.DateTimeFormat(dateLocale, form);
  const day = new Intl.DateTimeFormat(dateLocale, { ...form, day: 'numeric', month: 'short' });
  const start = periodStart && new Date(periodStart);
  const end = periodEnd && new Date(periodEnd);
  const last = end && new Date(end.getTime() - 1);
  if (!start) return t('Until {day}', { day: day.format(last as Date) });
  if (!last || !end) return t('From {day}', { day: day.format(start) });
  if (day.format(start) === day.format(last)) return day.format(start);
  const isMonth =
    [start, end].every((at) => dayOfMonth(at) === '1') && month.format(start) === month.format(last);
  return isMonth ? month.format(start) : `${day.format(start)} – ${day.format(last)}`;
}

const dayOfMonth = (at: Date) =>
  new Intl.DateTimeFormat('en', { day: 'numeric', timeZone: timeZone() }).format(at);
