import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useNow } from '../app/now.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';
import { LANGUAGE_NAMES, type Language, language as mine } from '../words/language.ts';
import { t } from '../words/t.ts';
import { latestMonths } from './periods.ts';

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }));

/** A month as a paper for an accountant, or as figures for a spreadsheet. */
export function MonthlyReport({ projectId }: { projectId: string | undefined }) {
  const months = latestMonths(useNow());
  const [chosen, setMonth] = useState<string>();
  const [language, setLanguage] = useState(mine);
  const month = chosen ?? months[1]!.value;
  const name = `report-${month}`;
  const of = { month, projectId };
  const savePdf = useAction({
    run: async () => {
      const bytes = await florin.accounting.monthlyReportPdf({ ...of, language });
      saveFile(`${name}.pdf`, new Blob([bytes as BlobPart], { type: 'application/pdf' }));
    },
  });
  return (
    <section aria-labelledby="monthly-report">
      <Title order={2} size="h4" mt="xl" mb={4} id="monthly-report">
        {t('Monthly report')}
      </Title>
      <Text size="sm" mb="xs">
        {t(
          'Revenue by day, tax, ledger sums, subscribers, open invoices and exceptions of a month, in your time zone.',
        )}
      </Text>
      <Group gap="xs" align="end">
        <NativeSelect
          size="xs"
          label={t('Month')}
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
          data={months}
        />
        <NativeSelect
          size="xs"
          label={t('Language of the PDF')}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value as Language)}
          data={LANGUAGES}
        />
        <Button
          size="xs"
          leftSection={<Icon name="download" />}
          onClick={() => savePdf.mutate()}
          loading={savePdf.isPending}
        >
          {t('Report (PDF)')}
        </Button>
        <CsvButton
          name={name}
          label={t('Report (CSV)')}
          load={() => florin.accounting.monthlyReportCsv(of)}
        />
      </Group>
    </section>
  );
}
