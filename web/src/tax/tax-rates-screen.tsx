import type { TaxRate, TaxRatesListQuery } from '@florin/sdk';
import { Box, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ProjectName } from '../billing/project-field.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { CatalogStatus } from '../catalog/catalog-screen.tsx';
import { Switch } from '../catalog/switch.tsx';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Status, words } from '../parts/status.tsx';
import { t, tc } from '../words/t.ts';
import { countryName } from './countries.ts';
import { CATEGORY_NAMES, EditTaxRate, NewTaxRate } from './tax-rate-forms.tsx';
import { rateText } from './use-tax-rates.ts';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'isActive',
    label: t('Status'),
    options: ['true', 'false'],
    labels: { true: words('active'), false: words('archived') },
  },
  { kind: 'text', name: 'country', label: t('Country'), placeholder: t('Code, such as DE') },
];

const COLUMNS: readonly Column<TaxRate>[] = [
  { title: tc('tax', 'Rate'), cell: (rate) => <Rate rate={rate} /> },
  { title: t('Country'), cell: ({ country }) => countryName(country), wideOnly: true },
  { title: t('Category'), cell: ({ category }) => CATEGORY_NAMES[category], wideOnly: true },
  { title: t('Status'), cell: (rate) => <RateStatus rate={rate} />, wideOnly: true },
  { title: t('Project'), cell: ({ projectId }) => <ProjectName id={projectId} />, wideOnly: true },
];

export default function TaxRatesScreen() {
  const can = useCan();
  const ownerFilters = useOwnerFilters();
  const create = can.change && <NewTaxRate />;
  const columns: readonly Column<TaxRate>[] = can.change
    ? [
        ...COLUMNS,
        { title: t('Action'), cell: (rate) => <Actions rate={rate} />, align: 'right', share: '46%' },
      ]
    : COLUMNS;
  return (
    <ListScreen<TaxRate, TaxRatesListQuery>
      title={t('Tax rates')}
      name="tax-rates"
      columns={columns}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        projectId: firstOf(search.projectId),
        country: firstOf(search.country),
        isActive: search.isActive === undefined ? undefined : firstOf(search.isActive) === 'true',
      })}
      load={(query) => florin.taxRates.list(query)}
      loadCsv={(query) => florin.taxRates.listCsv(query)}
      actions={
        <>
          <Button component={Link} to="/tax/report" size="xs" variant="default">
            {t('Tax report')}
          </Button>
          <Button component={Link} to="/tax/accounting" size="xs" variant="default">
            {t('Accounting')}
          </Button>
          {create}
        </>
      }
      empty={
        <Empty title={t('No tax rates yet')} action={create}>
          {t(
            'A rate belongs to a country. Prices say whether tax is added to their amount or included in it. Enter who sells in the project’s settings first.',
          )}
        </Empty>
      }
    />
  );
}

/** Tax rate with its status below if there is no room beside it. */
function Rate({ rate }: { rate: TaxRate }) {
  return (
    <>
      {rateText(rate)}
      <Box hiddenFrom="sm">
        <RateStatus rate={rate} />
      </Box>
    </>
  );
}

function RateStatus({ rate: { isActive, isDefault } }: { rate: TaxRate }) {
  return isDefault ? <Status of="default" /> : <CatalogStatus isActive={isActive} />;
}

function Actions({ rate }: { rate: TaxRate }) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <EditTaxRate rate={rate} />
      <Switch
        isActive={rate.isActive}
        label={rateText(rate)}
        archived={t('Archived. Prices that have it keep it.')}
        change={(isActive) => florin.taxRates.update(rate.id, { isActive })}
        refresh={['tax-rates']}
      />
    </Group>
  );
}
