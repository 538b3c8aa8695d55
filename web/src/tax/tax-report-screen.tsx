import type { TaxReportRow } from '@florin/sdk';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useNow } from '../app/now.ts';
import { useProjects } from '../billing/use-projects.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import detail from '../parts/detail-screen.module.css';
import { Icon } from '../parts/icon.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { percentText } from '../parts/percent-text.ts';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { firstOf, useAddressSearch } from '../parts/use-search.ts';
import { t, tc } from '../words/t.ts';
import { countryName } from './countries.ts';
import { PeriodFilters } from './period-filters.tsx';
import { type Period, rangeOf, usualPeriods } from './periods.ts';

const COLUMNS: readonly Column<TaxReportRow>[] = [
  { title: tc('tax', 'Rate'), cell: rowText },
  { title: t('Invoices'), cell: ({ invoicesCount }) => invoicesCount, align: 'right', wideOnly: true },
  {
    title: t('Credit notes'),
    cell: ({ creditNotesCount }) => creditNotesCount,
    align: 'right',
    wideOnly: true,
  },
  { title: tc('tax', 'Net'), cell: ({ netCents }) => <Money cents={netCents} />, align: 'right' },
  { title: t('Tax'), cell: ({ taxCents }) => <Money cents={taxCents} />, align: 'right' },
  {
    title: tc('tax', 'Gross'),
    cell: ({ grossCents }) => <Money cents={grossCents} />,
    align: 'right',
    wideOnly: true,
  },
];

/** The tax of a period. Project and days are in the address, so that a report can be bookmarked and sent. */
export default function TaxReportScreen() {
  const { all, open, isRead } = useProjects();
  const [search] = useAddressSearch();
  const [{ from: first, to: last }] = usualPeriods(useNow());
  const usual = open.find(({ seller }) => seller !== null) ?? open[0];
  const projectId = firstOf(search.projectId) ?? usual?.id;
  const from = firstOf(search.from) ?? first;
  const to = firstOf(search.to) ?? last;
  return (
    <>
      <Anchor component={Link} to="/tax" size="sm" className={detail.back}>
        <Icon name="back" size={14} /> {t('Tax rates')}
      </Anchor>
      {projectId ? (
        <Report of={{ projectId, from, to }} isOneOfMany={all.size > 1} />
      ) : (
        <>
          <ScreenTitle title={t('Tax report')} />
          {isRead ? (
            <Empty title={t('No projects yet')}>{t('A report is made for one project.')}</Empty>
          ) : (
            <Loading />
          )}
        </>
      )}
    </>
  );
}

interface ReportOf extends Omit<Period, 'label'> {
  projectId: string;
}

function Report({ of, isOneOfMany }: { of: ReportOf; isOneOfMany: boolean }) {
  const range = rangeOf(of);
  const { data, error, refetch } = useQuery({
    queryKey: ['invoices', 'tax-report', of],
    queryFn: () => florin.billing.taxReport({ projectId: of.projectId, ...range! }),
    enabled: range !== undefined,
  });
  return (
    <>
      <ScreenTitle title={t('Tax report')}>
        {range && (
          <CsvButton
            name={`tax-report-${of.from}-${of.to}`}
            load={() => florin.billing.taxReportCsv({ projectId: of.projectId, ...range })}
          />
        )}
      </ScreenTitle>
      <PeriodFilters of={of} hasProjects={isOneOfMany} />
      {range === undefined ? (
        <Text role="alert">{t('To must be the same day as From, or later.')}</Text>
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Loading lines={4} />
      ) : data.rows.length === 0 ? (
        <Empty title={t('Nothing in this period')}>
          {t('Invoices count on the day they were paid, credit notes on the day they were written.')}
        </Empty>
      ) : (
        <>
          <PlainTable caption={t('Tax by rate')} columns={COLUMNS} items={data.rows} idOf={rowText} />
          <Text size="sm" c="dimmed" mt="sm">
            {t(
              'Invoices count on the day they were paid, credit notes on the day they were written, in your time zone. What was credited is deducted. The CSV has both.',
            )}
          </Text>
        </>
      )}
    </>
  );
}

/** `Germany, 19%`, `France, reverse charge`; what has no country is not taxed. */
function rowText({ country, category, percent }: TaxReportRow): string {
  if (country === null || category === null) return t('Not taxed');
  const rate = category === 'S' ? percentText(percent ?? 0) : CATEGORIES[category];
  return t('{country}, {rate}', { country: countryName(country), rate });
}

const CATEGORIES: Record<Exclude<TaxReportRow['category'], 'S' | null>, string> = {
  Z: tc('tax', 'zero-rated'),
  E: tc('tax', 'exempt'),
  AE: tc('tax', 'reverse charge'),
  K: tc('tax', 'within the EU'),
  G: tc('tax', 'export'),
  O: tc('tax', 'not subject to tax'),
};
