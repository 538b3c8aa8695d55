import type { BalanceEntry, Customer, CustomerErasure, UsageSummary } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { customerText } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { PURCHASES } from '../checkout/purchase-columns.tsx';
import { INVOICE_COLUMNS } from '../invoices/invoice-columns.tsx';
import { NewInvoice } from '../invoices/invoice-form.tsx';
import { NotesSection } from '../notes/notes-section.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { Dotted } from '../parts/dotted.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { PLAN_COLUMNS } from '../subscriptions/subscription-columns.tsx';
import { countryName } from '../tax/countries.ts';
import { AddressText, TaxIdsText } from '../tax/party-text.tsx';
import { AdjustBalance, EditCustomer } from './customer-forms.tsx';
import { DeleteCustomer, DeletedCustomer, ErasureProgress } from './delete-customer.tsx';
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
  const [erasure, setErasure] = useState<CustomerErasure>();
  if (erasure) return <ErasureProgress erasure={erasure} />;
  return (
    <DetailScreen<Customer>
      name="customers"
      load={(id) => florin.customers.retrieve(id)}
      missing={(id) => <DeletedCustomer id={id} />}
      back={{ to: '/customers', label: 'Customers' }}
      title={customerText}
      subtitle={subtitleOf}
      aside={(customer) => <CustomerFacts customer={customer} />}
      actions={(customer) =>
        can.change && (
          <>
            <NewInvoice customer={customer} onDone={({ id }) => void navigate({ to: `/invoices/${id}` })} />
            <OpenPortal customer={customer} />
            <EditCustomer customer={customer} />
            {can.own && <DeleteCustomer customer={customer} onDone={setErasure} />}
          </>
        )
      }
    >
      {(customer) => <CustomerParts customer={customer} />}
    </DetailScreen>
  );
}

/** What the title does not say. */
function subtitleOf(customer: Customer) {
  const { name, email, country } = customer;
  return <Dotted of={[name !== null && email, country && countryName(country)]} />;
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const { address, country, taxIds } = customer;
  return (
    <>
      <Section title="Details">
        <Facts
          of={[
            ['Prepaid credits', numberText(customer.creditBalance)],
            ['Account credit', <Money key="m" cents={customer.accountCreditCents} />],
            ['E-mail', customer.email],
            ['Language', customer.language],
            ['Address', address && <AddressText key="ad" address={address} />],
            ['Country', country && countryName(country)],
            ['Business', customer.isBusiness && 'Yes'],
            ['Tax IDs', taxIds.length > 0 && <TaxIdsText key="t" taxIds={taxIds} />],
            ['Created', <Time key="c" at={customer.createdAt} />],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          ['Customer ID', customer.id],
          ['Your customer ID', customer.externalCustomerId],
          ['Project', <ProjectLink key="p" id={customer.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={customer.metadata}
          save={(metadata) => florin.customers.update(customer.id, { metadata })}
          refresh={['customers']}
        />
      </DeveloperDetails>
    </>
  );
}

function CustomerParts({ customer }: { customer: Customer }) {
  const can = useCan();
  const of = { customerId: customer.id };
  return (
    <>
      <NotesSection about={{ customerId: customer.id }} />
      <ShortList
        title="Payments"
        name="checkout-sessions"
        of={of}
        load={(limit) =>
          florin.checkoutSessions.list({ ...of, paymentStatus: ['paid', 'processing', 'underpaid'], limit })
        }
        columns={PURCHASES}
        hrefOf={({ paymentIntentId }) => `/payments/${paymentIntentId}`}
        all={{ to: '/checkout-sessions', search: of }}
        empty="No payments yet."
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
        title="Credit"
        name="balance-entries"
        of={{ ...of, ...balanceNow(customer) }}
        rows={10}
        load={(limit) => florin.customers.listBalanceEntries(customer.id, { limit })}
        columns={ENTRIES}
        empty="No credit yet."
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
