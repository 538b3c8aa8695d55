import type { Price, UpdatePriceRequest } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { MODE_NAMES, priceText, termsText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { useCatalog } from '../billing/use-catalog.ts';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Time } from '../parts/time.tsx';
import { BEHAVIOR_NAMES, TaxFields, taxOf } from '../tax/tax-fields.tsx';
import { rateText, useTaxRates } from '../tax/use-tax-rates.ts';
import { t } from '../words/t.ts';
import { CatalogStatus } from './catalog-screen.tsx';
import { NameFields } from './new-price.tsx';
import { PriceSwitch } from './switch.tsx';

export default function PriceScreen() {
  const can = useCan();
  const catalog = useCatalog();
  return (
    <DetailScreen<Price>
      name="prices"
      load={(id) => florin.prices.retrieve(id)}
      back={{ to: '/catalog', label: t('Catalog') }}
      title={(price) => priceText(price, catalog.products.get(price.productId)?.name)}
      badge={({ isActive }) => <CatalogStatus isActive={isActive} />}
      actions={(price) =>
        can.change && (
          <>
            <PriceSwitch price={price} />
            <EditPrice price={price} />
          </>
        )
      }
    >
      {(price) => <PriceParts price={price} />}
    </DetailScreen>
  );
}

function PriceParts({ price }: { price: Price }) {
  const { products } = useCatalog();
  const rate = useTaxRates(price.projectId).find(({ id }) => id === price.taxRateId);
  const isTaxed = price.taxBehavior !== 'none';
  return (
    <>
      <Facts
        of={[
          [t('Price'), termsText(price)],
          [t('Billing'), MODE_NAMES[price.billingMode]],
          [t('Name'), price.name],
          [t('Tax'), BEHAVIOR_NAMES[price.taxBehavior]],
          ...(isTaxed
            ? [[t('Tax rate'), rate ? rateText(rate) : t('Default of the customer’s country')] as const]
            : []),
          [
            t('Product'),
            <Anchor key="p" component={Link} to={`/catalog/${price.productId}`} size="sm">
              {products.get(price.productId)?.name ?? t('View product')}
            </Anchor>,
          ],
          [t('Created'), <Time key="c" at={price.createdAt} />],
        ]}
      />
      <DeveloperDetails
        of={[
          [t('Price ID'), price.id],
          [t('Lookup key'), price.lookupKey],
          [t('Project'), <ProjectLink key="pr" id={price.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={price.metadata}
          save={(metadata) => florin.prices.update(price.id, { metadata })}
          refresh={['prices']}
        />
      </DeveloperDetails>
    </>
  );
}

function EditPrice({ price }: { price: Price }) {
  return (
    <DialogForm
      button={t('Edit')}
      title={t('Edit price')}
      submit={t('Save')}
      run={(values) => florin.prices.update(price.id, changeOf(price, values))}
      refresh={['prices']}
      done={t('Price saved. It applies to new checkouts and renewals.')}
    >
      <NameFields price={price} />
      <TaxFields projectId={price.projectId} of={price} isFixed />
    </DialogForm>
  );
}

/** Unchanged values are not sent: a price keeps an archived rate, but cannot be given one. */
function changeOf(price: Price, values: FormValues): UpdatePriceRequest {
  const { taxBehavior, taxRateId } = taxOf(values);
  return {
    name: values.optional('name'),
    lookupKey: values.optional('lookupKey'),
    ...(taxBehavior !== price.taxBehavior && { taxBehavior }),
    ...(taxRateId !== price.taxRateId && { taxRateId }),
  };
}
