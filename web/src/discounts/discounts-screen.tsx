import type { Discount, DiscountsListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ProjectName } from '../billing/project-field.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { CatalogStatus } from '../catalog/catalog-screen.tsx';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc } from '../words/t.ts';
import { discountText, usesText } from './discount-text.ts';
import { NewDiscount } from './new-discount.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'isActive',
    label: t('Status'),
    options: ['true', 'false'],
    labels: { true: tc('state', 'Active'), false: tc('state', 'Archived') },
  },
];

const COLUMNS: readonly Column<Discount>[] = [
  { title: t('Discount'), cell: ({ name }) => name },
  { title: t('Terms'), cell: (discount) => discountText(discount) },
  { title: t('Used'), cell: (discount) => usesText(discount), align: 'right', wideOnly: true },
  { title: t('Status'), cell: ({ isActive }) => <CatalogStatus isActive={isActive} /> },
  { title: t('Project'), cell: ({ projectId }) => <ProjectName id={projectId} />, wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function DiscountsScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const ownerFilters = useOwnerFilters();
  const create = can.change && <NewDiscount onDone={({ id }) => void navigate({ to: `/discounts/${id}` })} />;
  return (
    <ListScreen<Discount, DiscountsListQuery>
      title={t('Discounts')}
      name="discounts"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        projectId: firstOf(search.projectId),
        isActive: search.isActive === undefined ? undefined : firstOf(search.isActive) === 'true',
      })}
      load={(query) => florin.discounts.list(query)}
      loadCsv={(query) => florin.discounts.listCsv(query)}
      hrefOf={({ id }) => `/discounts/${id}`}
      actions={create}
      empty={
        <Empty title={t('No discounts yet')} action={create}>
          {t(
            'A discount takes a percentage or an amount off a checkout. Customers get it by a promotion code, or you give it to a checkout.',
          )}
        </Empty>
      }
    />
  );
}
