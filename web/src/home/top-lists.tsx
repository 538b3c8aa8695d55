import type { TopCustomer, TopProduct } from '@florin/sdk';
import { Text } from '@mantine/core';
import { numberText } from '../billing/price-text.ts';
import { Section } from '../parts/detail-screen.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { t } from '../words/t.ts';

const PRODUCTS: readonly Column<TopProduct>[] = [
  { title: t('Product'), cell: ({ name }) => name },
  { title: t('Sales'), cell: ({ salesCount }) => numberText(salesCount), align: 'right', wideOnly: true },
  { title: t('Before tax'), cell: ({ salesCents }) => <Money cents={salesCents} />, align: 'right' },
];

const CUSTOMERS: readonly Column<TopCustomer>[] = [
  { title: t('Customer'), cell: nameOf },
  {
    title: t('Payments'),
    cell: ({ paymentsCount }) => numberText(paymentsCount),
    align: 'right',
    wideOnly: true,
  },
  { title: t('Revenue'), cell: ({ netCents }) => <Money cents={netCents} />, align: 'right' },
];

/** Somebody who was deleted has none of these any more. */
function nameOf({ name, email, externalCustomerId }: TopCustomer): string {
  return name ?? email ?? externalCustomerId ?? t('No name');
}

export function TopProducts({ products }: { products: readonly TopProduct[] }) {
  return (
    <Section title={t('Top products')}>
      {products.length === 0 ? (
        <Text c="dimmed">{t('No product was sold in this period.')}</Text>
      ) : (
        <PlainTable
          caption={t('Top products')}
          columns={PRODUCTS}
          items={products}
          idOf={({ productId }) => productId}
          hrefOf={({ productId }) => `/catalog/${productId}`}
        />
      )}
    </Section>
  );
}

export function TopCustomers({ customers }: { customers: readonly TopCustomer[] }) {
  return (
    <Section title={t('Top customers')}>
      {customers.length === 0 ? (
        <Text c="dimmed">{t('No known customer paid in this period.')}</Text>
      ) : (
        <PlainTable
          caption={t('Top customers')}
          columns={CUSTOMERS}
          items={customers}
          idOf={({ customerId }) => customerId}
          hrefOf={({ customerId }) => `/customers/${customerId}`}
        />
      )}
    </Section>
  );
}
