import type { ExpandedInvoice, InvoicesListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { linesText } from '../billing/checkout-of.ts';
import { customerText } from '../billing/names.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { Lead } from '../parts/lead.tsx';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc } from '../words/t.ts';
import { InvoiceStatus } from './invoice-columns.tsx';
import { NewInvoice } from './invoice-form.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: ['draft', 'open', 'overdue', 'paid', 'void', 'uncollectible'],
  },
  { kind: 'text', name: 'number', label: t('Number'), placeholder: t('Full invoice number') },
  { kind: 'text', name: 'externalCustomerId', label: t('Customer'), placeholder: t('Your customer ID') },
  { kind: 'text', name: 'merchantReference', label: t('Reference'), placeholder: t('Exact reference') },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<ExpandedInvoice>[] = [
  {
    title: t('Customer'),
    cell: (invoice) => <Lead who={whoOf(invoice)} what={invoice.number ?? tc('state', 'Draft')} />,
    share: '36%',
  },
  { title: t('For'), cell: ({ lines }) => linesText(lines) ?? '–', wideOnly: true },
  { title: t('Number'), cell: ({ number }) => number ?? tc('state', 'Draft'), wideOnly: true },
  { title: t('Total'), cell: ({ totalCents }) => <Money cents={totalCents} />, align: 'right' },
  { title: t('Status'), cell: (invoice) => <InvoiceStatus invoice={invoice} />, share: '36%' },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function whoOf({ customer, buyer }: ExpandedInvoice): string {
  return customer ? customerText(customer) : (buyer?.name ?? buyer?.email ?? t('Anonymous'));
}

/** Overdue invoices are also open, so this is a filter and not a status. */
function statusQuery(chosen: readonly string[]): InvoicesListQuery {
  if (chosen.includes('overdue')) return { isOverdue: 'true' };
  return chosen.length > 0 ? { status: chosen as NonNullable<InvoicesListQuery['status']> } : {};
}

export default function InvoicesScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const ownerFilters = useOwnerFilters();
  const create = can.change && <NewInvoice onDone={({ id }) => void navigate({ to: `/invoices/${id}` })} />;
  return (
    <ListScreen<ExpandedInvoice, InvoicesListQuery>
      title={t('Invoices')}
      name="invoices"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        ...statusQuery([search.status ?? []].flat()),
        projectId: firstOf(search.projectId),
        customerId: firstOf(search.customerId),
        subscriptionId: firstOf(search.subscriptionId),
        number: firstOf(search.number),
        externalCustomerId: firstOf(search.externalCustomerId),
        merchantReference: firstOf(search.merchantReference),
        ...createdRange(search),
      })}
      load={(query) => florin.invoices.list({ ...query, expand: 'customer' })}
      loadCsv={(query) => florin.invoices.listCsv(query)}
      otherCsv={{
        name: 'invoice-lines',
        label: t('CSV of lines'),
        load: (query) => florin.invoices.listCsv({ ...query, rows: 'lines' }),
      }}
      hrefOf={({ id }) => `/invoices/${id}`}
      actions={create}
      empty={
        <Empty title={t('No invoices yet')} action={create}>
          {t(
            'Invoices are created automatically for every checkout and renewal. You can also write one yourself.',
          )}
        </Empty>
      }
    />
  );
}
