import type { BalanceEntry, Customer, CustomerErasure, Int64, UsageSummary } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { customerText } from '../billing/names.tsx';
import { creditsText, numberText } from '../billing/price-text.ts';
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
import { t, tc } from '../words/t.ts';
import { AdjustBalance, EditCustomer } from './customer-forms.tsx';
import { DeleteCustomer, DeletedCustomer, ErasureProgress } from './delete-customer.tsx';
import { ENTRY_KINDS, REVERSED } from './entry-kinds.ts';
import { MergeCustomer, MergedNotice } from './merge-customer.tsx';
import { OpenPortal } from './open-portal.tsx';

const signed = (value: Int64, text: string) => (BigInt(value) > 0n ? `+${text}` : text);

const ENTRIES: readonly Column<BalanceEntry>[] = [
  {
    title: t('Type'),
    cell: ({ kind, reversesId }) => (reversesId ? REVERSED : ENTRY_KINDS)[kind] ?? words(kind),
  },
  { title: tc('noun', 'Change'), cell: (entry) => changeText(entry), align: 'right' },
  {
    title: t('Balance after'),
    cell: (entry) =>
      BigInt(entry.deltaCents) === 0n ? (
        creditsText(entry.creditBalance)
      ) : (
        <Money cents={entry.accountCreditCents} />
      ),
    align: 'right',
    wideOnly: true,
  },
  { title: t('Reason'), cell: ({ reason }) => reason ?? '–' },
  { title: t('Date'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function changeText({ deltaCredits, deltaCents }: BalanceEntry): string {
  if (BigInt(deltaCents) !== 0n) return signed(deltaCents, `${moneyText(deltaCents)} USDC`);
  return creditsText(deltaCredits, signed(deltaCredits, numberText(deltaCredits)));
}

const USAGE: readonly Column<UsageSummary>[] = [
  { title: t('Metric'), cell: ({ metric }) => metric },
  { title: t('Quantity'), cell: ({ quantity }) => numberText(quantity), align: 'right' },
  { title: t('Credits used'), cell: ({ creditsUsed }) => numberText(creditsUsed), align: 'right' },
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
      back={{ to: '/customers', label: t('Customers') }}
      title={customerText}
      subtitle={subtitleOf}
      aside={(customer) => <CustomerFacts customer={customer} />}
      actions={(customer) =>
        can.change &&
        customer.mergedIntoCustomerId === null && (
          <>
            <NewInvoice customer={customer} onDone={({ id }) => void navigate({ to: `/invoices/${id}` })} />
            <OpenPortal customer={customer} />
            <EditCustomer customer={customer} />
            {can.own && (
              <>
                <MergeCustomer
                  customer={customer}
                  onDone={(into) => void navigate({ to: `/customers/${into.id}` })}
                />
                <DeleteCustomer customer={customer} onDone={setErasure} />
              </>
            )}
          </>
        )
      }
    >
      {(customer) => <CustomerParts customer={customer} />}
    </DetailScreen>
  );
}

/** Details that the title does not contain. */
function subtitleOf(customer: Customer) {
  const { name, email, country } = customer;
  return <Dotted of={[name !== null && email, country && countryName(country)]} />;
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const { address, country, taxIds } = customer;
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [t('Prepaid credits'), numberText(customer.creditBalance)],
            [t('Account credit'), <Money key="m" cents={customer.accountCreditCents} />],
            [t('E-mail'), customer.email],
            [t('Language'), customer.language],
            [t('Address'), address && <AddressText key="ad" address={address} />],
            [t('Country'), country && countryName(country)],
            [tc('customer', 'Business'), customer.isBusiness && t('Yes')],
            [t('Tax IDs'), taxIds.length > 0 && <TaxIdsText key="t" taxIds={taxIds} />],
            [t('Created'), <Time key="c" at={customer.createdAt} />],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          [t('Customer ID'), customer.id],
          [t('Your customer ID'), customer.externalCustomerId],
          [t('Project'), <ProjectLink key="p" id={customer.projectId} />],
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
      {customer.mergedIntoCustomerId && <MergedNotice intoId={customer.mergedIntoCustomerId} />}
      <NotesSection about={{ customerId: customer.id }} />
      <ShortList
        title={t('Payments')}
        name="checkout-sessions"
        of={of}
        load={(limit) =>
          florin.checkoutSessions.list({
            ...of,
            paymentStatus: ['paid', 'processing', 'underpaid'],
            expand: 'invoice',
            limit,
          })
        }
        columns={PURCHASES}
        hrefOf={({ paymentIntentId }) => `/payments/${paymentIntentId}`}
        all={{ to: '/checkout-sessions', search: of }}
        empty={t('No payments yet.')}
      />
      <ShortList
        title={t('Subscriptions')}
        name="subscriptions"
        of={of}
        load={(limit) => florin.subscriptions.list({ ...of, limit })}
        columns={PLAN_COLUMNS}
        hrefOf={({ id }) => `/subscriptions/${id}`}
        all={{ to: '/subscriptions', search: of }}
        empty={t('No subscriptions. They start with a checkout for a recurring price.')}
      />
      <ShortList
        title={t('Invoices')}
        name="invoices"
        of={of}
        load={(limit) => florin.invoices.list({ ...of, limit })}
        columns={INVOICE_COLUMNS}
        hrefOf={({ id }) => `/invoices/${id}`}
        all={{ to: '/invoices', search: of }}
        empty={t('No invoices yet.')}
      />
      <ShortList
        title={t('Credit')}
        name="balance-entries"
        of={{ ...of, ...balanceNow(customer) }}
        rows={10}
        load={(limit) => florin.customers.listBalanceEntries(customer.id, { limit })}
        columns={ENTRIES}
        empty={t('No credit yet.')}
        actions={
          <>
            <CsvButton
              name="balance-entries"
              load={() => florin.customers.listBalanceEntriesCsv(customer.id)}
            />
            {can.change && customer.mergedIntoCustomerId === null && <AdjustBalance customer={customer} />}
          </>
        }
      />
      <ShortList
        title={t('Total usage')}
        name="usage"
        of={of}
        rows={20}
        load={(limit) => florin.usage.listSummaries({ ...of, granularity: 'total', limit })}
        columns={USAGE}
        idOf={({ metric }) => metric}
        all={{ to: '/usage', search: of }}
        empty={t('No usage yet.')}
      />
    </>
  );
}

/** Reloads the entries when the balance changes elsewhere. */
const balanceNow = ({ creditBalance, accountCreditCents }: Customer) => ({
  balance: `${creditBalance} ${accountCreditCents}`,
});
