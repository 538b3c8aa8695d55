import type { Customer, CustomersListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { customerText } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
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
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { NewCustomer } from './customer-forms.tsx';

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'email', label: t('E-mail'), placeholder: t('Full e-mail address') },
  { kind: 'text', name: 'externalCustomerId', label: t('Your customer ID'), placeholder: t('Exact ID') },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<Customer>[] = [
  {
    title: t('Customer'),
    cell: (customer) => <Lead who={customerText(customer)} what={customer.name !== null && customer.email} />,
    share: '70%',
  },
  { title: t('E-mail'), cell: ({ email }) => email ?? '–', wideOnly: true },
  { title: t('Your ID'), cell: ({ externalCustomerId }) => externalCustomerId ?? '–', wideOnly: true },
  { title: t('Credits'), cell: ({ creditBalance }) => numberText(creditBalance), align: 'right' },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function CustomersScreen() {
  const can = useCan();
  const navigate = useNavigate();
  const ownerFilters = useOwnerFilters();
  const create = can.change && <NewCustomer onDone={({ id }) => void navigate({ to: `/customers/${id}` })} />;
  return (
    <ListScreen<Customer, CustomersListQuery>
      title={t('Customers')}
      name="customers"
      columns={COLUMNS}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        projectId: firstOf(search.projectId),
        email: firstOf(search.email),
        externalCustomerId: firstOf(search.externalCustomerId),
        ...createdRange(search),
      })}
      load={(query) => florin.customers.list(query)}
      loadCsv={(query) => florin.customers.listCsv(query)}
      hrefOf={({ id }) => `/customers/${id}`}
      actions={create}
      empty={
        <Empty title={t('No customers yet')} action={create}>
          {t('Customers are created automatically when they buy. You can also add one here.')}
        </Empty>
      }
    />
  );
}
