import type { Invoice, InvoicesListQuery } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { CustomerName } from '../billing/names.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { INVOICE_COLUMNS } from './invoice-columns.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: ['draft', 'open', 'paid', 'void', 'uncollectible'],
  },
  { kind: 'text', name: 'number', label: 'Number', placeholder: 'Full invoice number' },
  { kind: 'text', name: 'externalCustomerId', label: 'Customer', placeholder: 'Your customer ID' },
  { kind: 'text', name: 'merchantReference', label: 'Reference', placeholder: 'Exact reference' },
  ...DATE_FILTERS,
];

const [NUMBER, STATUS, TOTAL, REASON, CREATED] = INVOICE_COLUMNS as [
  Column<Invoice>,
  Column<Invoice>,
  Column<Invoice>,
  Column<Invoice>,
  Column<Invoice>,
];

const COLUMNS: readonly Column<Invoice>[] = [
  NUMBER,
  STATUS,
  { title: 'Customer', cell: ({ customerId }) => <CustomerName id={customerId} />, wideOnly: true },
  REASON,
  TOTAL,
  CREATED,
];

export default function InvoicesScreen() {
  const ownerFilters = useOwnerFilters();
  return (
    <ListScreen<Invoice, InvoicesListQuery>
      title="Invoices"
      name="invoices"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        status: search.status as InvoicesListQuery['status'],
        projectId: firstOf(search.projectId),
        customerId: firstOf(search.customerId),
        subscriptionId: firstOf(search.subscriptionId),
        number: firstOf(search.number),
        externalCustomerId: firstOf(search.externalCustomerId),
        merchantReference: firstOf(search.merchantReference),
        ...createdRange(search),
      })}
      load={(query) => florin.invoices.list(query)}
      loadCsv={(query) => florin.invoices.listCsv(query)}
      hrefOf={({ id }) => `/invoices/${id}`}
      empty={
        <Empty
          title="No invoices yet"
          action={
            <Anchor component={Link} to="/checkout-sessions">
              Go to checkouts
            </Anchor>
          }
        >
          Invoices are created automatically for every checkout and renewal.
        </Empty>
      }
    />
  );
}
