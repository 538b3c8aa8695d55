import type { BalanceEntry, Customer, UsageSummary } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { customerText } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { INVOICE_COLUMNS } from '../invoices/invoice-columns.tsx';
import { NewInvoice } from '../invoices/invoice-form.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { PLAN_COLUMNS } from '../subscriptions/subscription-columns.tsx';
import { AdjustBalance, EditCustomer } from './customer-forms.tsx';
import { OpenPortal } from './open-portal.tsx';

const signed = (value: number | bigint, text: string) => (BigInt(value) > 0n ? `+${text}` : text);

const ENTRIES: readonly Column<BalanceEntry>[] = [
  {
    title: 'Type',
    cell: ({ kind, reversesId }) => (reversesId ? `${words(kind)}, reversed` : words(kind)),
  },
  { title: 'Change', cell: (entry) => changeText(entry), align: 'right' },
  {
    title: 'Balance after',
    cell: (entry) =>
      BigInt(entry.deltaCents) === 0n ? (
        `${numberText(entry.creditBalance)} credits`
      ) : (
        <Money cents={entry.accountCreditCents} />
      ),
    align: 'right',
    wideOnly: true,
  },
  { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
  { title: 'Date', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function changeText({ deltaCredits, deltaCents }: BalanceEntry): string {
  if (BigInt(deltaCents) !== 0n) return signed(deltaCents, `${moneyText(deltaCents)} USDC`);
  return signed(deltaCredits, `${numberText(deltaCredits)} credits`);
}

const USAGE: readonly Column<UsageSummary>[] = [
  { title: 'Metric', cell: ({ metric }) => metric },
  { title: 'Quantity', cell: ({ quantity }) => numberText(quantity), align: 'right' },
  { title: 'Credits used', cell: ({ creditsUsed }) => numberText(creditsUsed), align: 'right' },
];

export default function CustomerScreen() {
  const can = useCan();
  const navigate = useNavigate();
  return (
    <DetailScreen<Customer>
      name="customers"
      load={(id) => florin.customers.retrieve(id)}
      back={{ to: '/customers', label: 'Customers' }}
      title={customerText}
      actions={(customer) =>
        can.change && (
          <>
            <NewInvoice customer={customer} onDone={({ id }) => void navigate({ to: `/invoices/${id}` })} />
            <OpenPortal customer={customer} />
            <EditCustomer customer={customer} />
          </>
        )
      }
    >
      {(customer) => <CustomerParts customer={customer} />}
    </DetailScreen>
  );
}

function CustomerParts({ customer }: { customer: Customer }) {
  const can = useCan();
  const of = { customerId: customer.id };
  return (
    <>
      <Facts
        of={[
          ['Prepaid credits', numberText(customer.creditBalance)],
          ['Account credit', <Money key="m" cents={customer.accountCreditCents} />],
          ['E-mail', customer.email ?? '–'],
          ['Your customer ID', customer.externalCustomerId ?? '–'],
          ['Language', customer.language ?? '–'],
          ['Project', <ProjectLink key="p" id={customer.projectId} />],
          ['Created', <Time key="c" at={customer.createdAt} />],
          ['Customer ID', <Copyable key="i" text={customer.id} label="customer ID" />],
        ]}
      />
      <MetadataSection
        metadata={customer.metadata}
        save={(metadata) => florin.customers.update(customer.id, { metadata })}
        refresh={['customers']}
      />
      <ShortList
        title="Balance"
        name="balance-entries"
        of={{ ...of, ...balanceNow(customer) }}
        rows={20}
        load={(limit) => florin.customers.listBalanceEntries(customer.id, { limit })}
        columns={ENTRIES}
        empty="No balance changes yet."
        actions={
          <>
            <CsvButton
              name="balance-entries"
              load={() => florin.customers.listBalanceEntriesCsv(customer.id)}
            />
            {can.change && <AdjustBalance customer={customer} />}
          </>
        }
      />
      <ShortList
        title="Subscriptions"
        name="subscriptions"
        of={of}
        load={(limit) => florin.subscriptions.list({ ...of, limit })}
        columns={PLAN_COLUMNS}
        hrefOf={({ id }) => `/subscriptions/${id}`}
        all={{ to: '/subscriptions', search: of }}
        empty="No subscriptions. They start with a checkout for a recurring price."
      />
      <ShortList
        title="Invoices"
        name="invoices"
        of={of}
        load={(limit) => florin.invoices.list({ ...of, limit })}
        columns={INVOICE_COLUMNS}
        hrefOf={({ id }) => `/invoices/${id}`}
        all={{ to: '/invoices', search: of }}
        empty="No invoices yet."
      />
      <ShortList
        title="Total usage"
        name="usage"
        of={of}
        rows={20}
        load={(limit) => florin.usage.listSummaries({ ...of, granularity: 'total', limit })}
        columns={USAGE}
        idOf={({ metric }) => metric}
        all={{ to: '/usage', search: of }}
        empty="No usage yet."
      />
    </>
  );
}

/** Reloads the entries when the balance changes elsewhere. */
const balanceNow = ({ creditBalance, accountCreditCents }: Customer) => ({
  balance: `${creditBalance} ${accountCreditCents}`,
});
