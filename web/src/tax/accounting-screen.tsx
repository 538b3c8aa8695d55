import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useNow } from '../app/now.ts';
import { useProjects } from '../billing/use-projects.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import detail from '../parts/detail-screen.module.css';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { firstOf, useAddressSearch } from '../parts/use-search.ts';
import { t } from '../words/t.ts';
import { MonthlyReport } from './monthly-report.tsx';
import { PeriodFilters } from './period-filters.tsx';
import { rangeOf, usualPeriods } from './periods.ts';

/** The books of a period, as files for an accountant. Project and days are in the address. */
export default function AccountingScreen() {
  const { all } = useProjects();
  const [search] = useAddressSearch();
  const [{ from: first, to: last }] = usualPeriods(useNow());
  const projectId = firstOf(search.projectId);
  const from = firstOf(search.from) ?? first;
  const to = firstOf(search.to) ?? last;
  const range = rangeOf({ from, to });
  return (
    <>
      <Anchor component={Link} to="/tax" size="sm" className={detail.back}>
        <Icon name="back" size={14} /> {t('Tax rates')}
      </Anchor>
      <ScreenTitle title={t('Accounting')} />
      <PeriodFilters
        of={{ projectId, from, to }}
        hasProjects={all.size > 0}
        allProjects={t('All projects')}
      />
      {range === undefined ? (
        <Text role="alert">{t('To must be the same day as From, or later.')}</Text>
      ) : (
        <Exports of={{ ...range, projectId }} days={`${from}-${to}`} />
      )}
      <MonthlyReport projectId={projectId} />
    </>
  );
}

interface ExportsOf {
  from: string;
  to: string;
  projectId: string | undefined;
}

function Exports({ of, days }: { of: ExportsOf; days: string }) {
  return (
    <>
      <Text size="sm" mb="xs">
        {t(
          'The general ledger has every payment, invoice, refund and credit as journal entries that balance. The bank statement has what reached your wallet and what left it, for accounting programs that import OFX.',
        )}
      </Text>
      <Group gap="xs">
        <CsvButton
          name={`general-ledger-${days}`}
          label={t('General ledger (CSV)')}
          load={() => florin.accounting.generalLedger(of)}
        />
        <OfxButton name={`bank-statement-${days}.ofx`} load={() => florin.accounting.bankStatement(of)} />
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        {t('Days are those of your time zone.')}{' '}
        {of.projectId === undefined && t('Payments that belong to no project are included.')}
      </Text>
    </>
  );
}

function OfxButton({ name, load }: { name: string; load(): Promise<string> }) {
  const save = useAction({
    run: async () => saveFile(name, new Blob([await load()], { type: 'application/x-ofx' })),
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" />}
      onClick={() => save.mutate()}
      loading={save.isPending}
    >
      {t('Bank statement (OFX)')}
    </Button>
  );
}
