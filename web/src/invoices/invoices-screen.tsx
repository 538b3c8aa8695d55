import type { Invoice, InvoicesListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
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
import { NewInvoice } from './invoice-form.tsx';

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
  const can = useCan();
  const navigate = useNavigate();
  const ownerFilters = useOwnerFilters();
  const create = can.change && <NewInvoice onDone={({ id }) => void navigate({ to: `/invoices/${id}` })} />;
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
      actions={create}
      empty={
        <Empty title="No invoices yet" action={create}>
          Invoices are created automatically for every checkout and renewal. You can also write one yourself.
        </Empty>
      }
    />
  );
}
