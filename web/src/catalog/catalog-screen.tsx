import type { Product, ProductsListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { listText, termsText } from '../billing/price-text.ts';
import { ProjectName } from '../billing/project-field.tsx';
import { useCatalog } from '../billing/use-catalog.ts';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc, tn } from '../words/t.ts';
import { NewProduct } from './product-forms.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'isActive',
    label: t('Status'),
    options: ['true', 'false'],
    labels: { true: tc('state', 'Active'), false: tc('state', 'Archived') },
  },
];

const COLUMNS: readonly Column<Product>[] = [
  { title: t('Product'), cell: ({ name }) => name },
  { title: t('Prices'), cell: ({ id }) => <PricesOf id={id} /> },
  { title: t('Status'), cell: ({ isActive }) => <CatalogStatus isActive={isActive} /> },
  { title: t('Project'), cell: ({ projectId }) => <ProjectName id={projectId} />, wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function CatalogScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const ownerFilters = useOwnerFilters();
  const create = can.change && <NewProduct onDone={({ id }) => void navigate({ to: `/catalog/${id}` })} />;
  return (
    <ListScreen<Product, ProductsListQuery>
      title={t('Catalog')}
      name="products"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        projectId: firstOf(search.projectId),
        isActive: search.isActive === undefined ? undefined : firstOf(search.isActive) === 'true',
      })}
      load={(query) => florin.products.list(query)}
      loadCsv={(query) => florin.products.listCsv(query)}
      hrefOf={({ id }) => `/catalog/${id}`}
      actions={create}
      empty={
        <Empty title={t('No products yet')} action={create}>
          {t(
            'A product has one or more prices: one-time, recurring or for prepaid credits. Customers buy a price through a checkout or a payment link.',
          )}
        </Empty>
      }
    />
  );
}

export function CatalogStatus({ isActive }: { isActive: boolean }) {
  return <Status of={isActive ? 'active' : 'archived'} />;
}

function PricesOf({ id }: { id: string }) {
  const { prices } = useCatalog();
  const texts = [...prices.values()]
    .filter(({ productId, isActive }) => productId === id && isActive)
    .map(termsText);
  return (
    <>
      {texts.length === 0
        ? '–'
        : texts.length > 2
          ? tn(texts.length, '{count} price', '{count} prices')
          : listText(texts)}
    </>
  );
}
