import type { Price, Product } from '@florin/sdk';
import { Image } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { termsText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { ImageField } from '../parts/image-field.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { BEHAVIOR_NAMES } from '../tax/tax-fields.tsx';
import { t } from '../words/t.ts';
import { CatalogStatus } from './catalog-screen.tsx';
import { NewPrice } from './new-price.tsx';
import { EditProduct } from './product-forms.tsx';
import { shrinkPhoto } from './shrink-photo.ts';
import { PriceSwitch, Switch } from './switch.tsx';

const PRICES: readonly Column<Price>[] = [
  { title: t('Price'), cell: (price) => <strong>{termsText(price)}</strong> },
  { title: t('Name'), cell: ({ name }) => name ?? '–', wideOnly: true },
  { title: t('Tax'), cell: ({ taxBehavior }) => BEHAVIOR_NAMES[taxBehavior], wideOnly: true },
  { title: t('Status'), cell: ({ isActive }) => <CatalogStatus isActive={isActive} /> },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function ProductScreen() {
  const can = useCan();
  return (
    <DetailScreen<Product>
      name="products"
      load={(id) => florin.products.retrieve(id)}
      back={{ to: '/catalog', label: t('Catalog') }}
      title={({ name }) => name}
      subtitle={({ description }) => description}
      aside={(product) => <ProductFacts product={product} />}
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

function ProductImage({ product: { id, name, imagePath } }: { product: Product }) {
  const can = useCan();
  if (!imagePath && !can.change) return null;
  return (
    <Section title={t('Image')}>
      {imagePath && <Image src={imagePath} alt={name} w="auto" h={120} maw={240} fit="contain" bg="white" />}
      {can.change && (
        <ImageField
          noun="image"
          hasImage={imagePath !== null}
          set={async (file) => florin.products.setImage(id, await shrinkPhoto(file as Blob))}
          remove={() => florin.products.removeImage(id)}
          without="the name only"
          hint={t('Customers see it at checkout, on payment links and on tills. PNG, JPEG or WebP.')}
          refresh={['products']}
        />
      )}
    </Section>
  );
}

function ProductParts({ product }: { product: Product }) {
  const can = useCan();
  const of = { productId: product.id };
  const columns: readonly Column<Price>[] = can.change
    ? [...PRICES, { title: t('Action'), cell: (price) => <PriceSwitch price={price} />, align: 'right' }]
    : PRICES;
  return (
    <ShortList
      title={t('Prices')}
      name="prices"
      of={of}
      rows={100}
      load={(limit) => florin.prices.list({ ...of, limit })}
      columns={columns}
      hrefOf={({ id }) => `/catalog/prices/${id}`}
      empty={t('No prices yet. Add one to start selling this product.')}
      actions={
        <>
          <CsvButton name="prices" load={() => florin.prices.listCsv(of)} />
          {can.change && <NewPrice product={product} />}
        </>
      }
    />
  );
}

function ProductFacts({ product }: { product: Product }) {
  return (
    <>
      <ProductImage product={product} />
      <Section title={t('Details')}>
        <Facts of={[[t('Created'), <Time key="c" at={product.createdAt} />]]} />
      </Section>
      <DeveloperDetails
        of={[
          [t('Product ID'), product.id],
          [t('Project'), <ProjectLink key="p" id={product.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={product.metadata}
          save={(metadata) => florin.products.update(product.id, { metadata })}
          refresh={['products']}
        />
      </DeveloperDetails>
    </>
  );
}
