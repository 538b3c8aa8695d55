import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { shortened } from '../parts/copyable.tsx';
import { t, tc } from '../words/t.ts';
import { planText } from './price-text.ts';
import { useCatalog } from './use-catalog.ts';

/** The price of something that was bought, in words; one beyond the loaded part of a very long catalog is fetched on its own. */
export function PriceName({ id }: { id: string }) {
  const catalog = useCatalog();
  const known = catalog.prices.get(id);
  const { data } = useQuery({
    queryKey: ['prices', 'one', id],
    queryFn: () => florin.prices.retrieve(id),
    enabled: catalog.isRead && !known,
  });
  const price = known ?? data;
  return <>{price ? planText(price, catalog.products.get(price.productId)?.name) : '…'}</>;
}

/** Rows that fly by while a list is scrolled ask for nothing. */
const GLANCE_MS = 150;

/** The customer's name, fetched once per customer. */
export function CustomerName({ id }: { id: string | null }) {
  const { data } = useQuery({
    queryKey: ['customers', 'one', id],
    queryFn: async ({ signal }) => {
      await pause(GLANCE_MS, signal);
      return florin.customers.retrieve(id!);
    },
    enabled: id !== null,
    staleTime: 5 * 60_000,
  });
  if (id === null) return <>–</>;
  return <>{data ? customerText(data) : '…'}</>;
}

export function CustomerLink({ id }: { id: string | null }) {
  if (id === null) return <>–</>;
  return (
    <Anchor component={Link} to={`/customers/${id}`} size="sm">
      <CustomerName id={id} />
    </Anchor>
  );
}

/** Link to an invoice by its number, which never changes once it has one. */
export function InvoiceLink({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['invoices', 'number', id],
    queryFn: async () => (await florin.invoices.retrieve(id)).number ?? tc('state', 'Draft'),
    staleTime: 60_000,
  });
  return (
    <Anchor component={Link} to={`/invoices/${id}`} size="sm">
      {data ?? '…'}
    </Anchor>
  );
}

export function customerText(customer: {
  id: string;
  name: string | null;
  email: string | null;
  externalCustomerId: string | null;
}): string {
  return (
    customer.name ??
    customer.email ??
    customer.externalCustomerId ??
    t('Customer {id}', { id: shortened(customer.id) })
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
