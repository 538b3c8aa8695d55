import type { Invoice, InvoiceLine } from '@florin/sdk';
import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { CustomerLink } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { InvoiceStatus, reasonText } from './invoice-columns.tsx';

export const LINE_COLUMNS: readonly Column<InvoiceLine>[] = [
  { title: 'What', cell: ({ description }) => description },
  { title: 'Quantity', cell: ({ quantity }) => numberText(quantity), align: 'right', wideOnly: true },
  {
    title: 'Each',
    cell: ({ unitAmountCents }) => <Money cents={unitAmountCents} />,
    align: 'right',
    wideOnly: true,
  },
  { title: 'Amount', cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
];

/** Lines have no id of their own; they never move. */
export const lineKeys = (lines: readonly InvoiceLine[]) => (line: InvoiceLine) => String(lines.indexOf(line));

export default function InvoiceScreen() {
  return (
    <DetailScreen<Invoice>
      name="invoices"
      load={(id) => florin.invoices.retrieve(id)}
      back={{ to: '/invoices', label: 'Invoices' }}
      title={({ number }) => (number === null ? 'Draft invoice' : `Invoice ${number}`)}
      badge={(invoice) => <InvoiceStatus invoice={invoice} />}
      actions={(invoice) => (
        <Button
          component="a"
          href={`/api/v2/invoices/${invoice.id}/pdf`}
          target="_blank"
          rel="noreferrer"
          size="xs"
          variant="default"
          leftSection={<Icon name="download" />}
        >
          PDF
        </Button>
      )}
    >
      {(invoice) => <InvoiceParts invoice={invoice} />}
    </DetailScreen>
  );
}

function InvoiceParts({ invoice }: { invoice: Invoice }) {
  return (
    <>
      <PlainTable
        caption="Lines"
        columns={LINE_COLUMNS}
        items={invoice.lines}
        idOf={lineKeys(invoice.lines)}
      />
      <Section title="Sums">
        <Facts
          of={[
            ['Subtotal', <Money key="s" cents={invoice.subtotalCents} />],
            ['Account credit used', <Money key="c" cents={invoice.creditAppliedCents} />],
            ['Total', <Money key="t" cents={invoice.totalCents} />],
            ['Paid', <Money key="p" cents={invoice.amountPaidCents} />],
            ['Still due', <Money key="d" cents={invoice.amountDueCents} />],
          ]}
        />
      </Section>
      <Section title="Details">
        <Facts
          of={[
            ['For', reasonText(invoice)],
            ['Customer', <CustomerLink key="cu" id={invoice.customerId} />],
            ['Due until', <Time key="du" at={invoice.dueAt} />],
            ['Paid at', <Time key="pa" at={invoice.paidAt} />],
            ['Period begins', <Time key="pb" at={invoice.periodStart} />],
            ['Period ends', <Time key="pe" at={invoice.periodEnd} />],
            ['Checkout', <To key="ch" base="/checkout-sessions" id={invoice.checkoutSessionId} />],
            ['Subscription', <To key="su" base="/subscriptions" id={invoice.subscriptionId} />],
            ['Reference', invoice.merchantReference ?? '–'],
            [
              'Transaction',
              invoice.txSignature ? (
                <Copyable key="tx" text={invoice.txSignature} label="transaction" />
              ) : (
                '–'
              ),
            ],
            ['Project', <ProjectLink key="pr" id={invoice.projectId} />],
            ['Created', <Time key="cr" at={invoice.createdAt} />],
            ['Invoice id', <Copyable key="id" text={invoice.id} label="invoice id" />],
          ]}
        />
      </Section>
    </>
  );
}

function To({ base, id }: { base: string; id: string | null }) {
  if (id === null) return <>–</>;
  return (
    <Anchor component={Link} to={`${base}/${id}`} size="sm">
      Open it
    </Anchor>
  );
}
