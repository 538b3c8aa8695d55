import type { Price, Product } from '@florin/sdk';
import { Button, Text } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { termsText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { CatalogStatus } from './catalog-screen.tsx';
import { NewPrice } from './new-price.tsx';
import { EditProduct } from './product-forms.tsx';

const PRICES: readonly Column<Price>[] = [
  { title: 'Price', cell: (price) => <strong>{termsText(price)}</strong> },
  { title: 'Name', cell: ({ name }) => name ?? '–', wideOnly: true },
  { title: 'Lookup key', cell: ({ lookupKey }) => lookupKey ?? '–', wideOnly: true },
  { title: 'Status', cell: ({ isActive }) => <CatalogStatus isActive={isActive} /> },
  { title: 'Price ID', cell: ({ id }) => <Copyable text={id} label="price ID" />, wideOnly: true },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function ProductScreen() {
  const can = useCan();
  return (
    <DetailScreen<Product>
      name="products"
      load={(id) => florin.products.retrieve(id)}
      back={{ to: '/catalog', label: 'Catalog' }}
      title={({ name }) => name}
      badge={({ isActive }) => <CatalogStatus isActive={isActive} />}
      actions={(product) =>
        can.change && (
          <>
            <Switch
              isActive={product.isActive}
              label={product.name}
              change={(isActive) => florin.products.update(product.id, { isActive })}
              refresh={['products']}
            />
            <EditProduct product={product} />
          </>
        )
      }
    >
      {(product) => <ProductParts product={product} />}
    </DetailScreen>
  );
}

function ProductParts({ product }: { product: Product }) {
  const can = useCan();
  const of = { productId: product.id };
  const columns: readonly Column<Price>[] = can.change
    ? [...PRICES, { title: 'Action', cell: (price) => <PriceSwitch price={price} />, align: 'right' }]
    : PRICES;
  return (
    <>
      {product.description && <Text mb="md">{product.description}</Text>}
      <Facts
        of={[
          ['Project', <ProjectLink key="p" id={product.projectId} />],
          ['Created', <Time key="c" at={product.createdAt} />],
          ['Product ID', <Copyable key="i" text={product.id} label="product ID" />],
        ]}
      />
      <ShortList
        title="Prices"
        name="prices"
        of={of}
        rows={100}
        load={(limit) => florin.prices.list({ ...of, limit })}
        columns={columns}
        empty="No prices yet. Add one to start selling this product."
        actions={
          <>
            <CsvButton name="prices" load={() => florin.prices.listCsv(of)} />
            {can.change && <NewPrice product={product} />}
          </>
        }
      />
      <MetadataSection
        metadata={product.metadata}
        save={(metadata) => florin.products.update(product.id, { metadata })}
        refresh={['products']}
      />
    </>
  );
}

function PriceSwitch({ price }: { price: Price }) {
  return (
    <Switch
      isActive={price.isActive}
      label={termsText(price)}
      change={(isActive) => florin.prices.update(price.id, { isActive })}
      refresh={['prices']}
    />
  );
}

interface SwitchProps {
  isActive: boolean;
  label: string;
  change(isActive: boolean): Promise<unknown>;
  refresh: readonly string[];
}

/** Takes effect immediately and can be undone immediately, so there is no confirmation. */
export function Switch({ isActive, label, change, refresh }: SwitchProps) {
  const action = useAction({
    run: () => change(!isActive),
    refresh,
    done: isActive ? 'Archived. Existing subscriptions keep it.' : 'Activated.',
  });
  const word = isActive ? 'Archive' : 'Activate';
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => action.mutate()}
      loading={action.isPending}
      aria-label={`${word}: ${label}`}
    >
      {word}
    </Button>
  );
}
