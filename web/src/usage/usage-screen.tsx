import type { UsageListSummariesQuery, UsageSummary } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { numberText } from '../billing/price-text.ts';
import { ProjectName } from '../billing/project-field.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { dateLocale } from '../words/language.ts';
import { t, tc } from '../words/t.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

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
  { kind: 'date', name: 'from', label: t('From (UTC)') },
  { kind: 'date', name: 'to', label: t('To (UTC)') },
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
        from: utcDay(firstOf(search.from), 0),
        to: utcDay(firstOf(search.to), 1),
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

/** Usage is summed by UTC days, so the filter uses them too. */
function utcDay(text: string | undefined, plusDays: number): Date | undefined {
  const startMs = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(startMs) ? undefined : new Date(startMs + plusDays * DAY_MS);
}

const day = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

function periodText({ periodStart, periodEnd }: UsageSummary): string {
  if (periodStart === null && periodEnd === null) return t('Total');
  const start = periodStart && new Date(periodStart);
  const end = periodEnd && new Date(periodEnd);
  const last = end && new Date(end.getTime() - 1);
  if (!start) return t('Until {day}', { day: day.format(last as Date) });
  if (!last || !end) return t('From {day}', { day: day.format(start) });
  if (end.getTime() - start.getTime() <= DAY_MS) return day.format(start);
  const isMonth =
    start.getUTCDate() === 1 && end.getUTCDate() === 1 && month.format(start) === month.format(last);
  return isMonth ? month.format(start) : `${day.format(start)} – ${day.format(last)}`;
}
