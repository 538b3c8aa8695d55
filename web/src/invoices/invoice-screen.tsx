import type { Invoice } from '@florin/sdk';
import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { florin } from '../app/florin.ts';
import { CustomerLink } from '../billing/names.tsx';
import { daysText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { discountFacts } from '../discounts/discount-facts.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money } from '../parts/money.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { RefundButton } from '../refunds/refund-button.tsx';
import { RefundsOf } from '../refunds/refund-columns.tsx';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceStatus, reasonText } from './invoice-columns.tsx';
import { LINE_COLUMNS, lineKeys } from './line-columns.tsx';
import { taxFacts } from './tax-facts.tsx';

export default function InvoiceScreen() {
  return (
    <DetailScreen<Invoice>
      name="invoices"
      load={(id) => florin.invoices.retrieve(id)}
      back={{ to: '/invoices', label: 'Invoices' }}
      title={({ number }) => (number === null ? 'Draft invoice' : `Invoice ${number}`)}
      badge={(invoice) => <InvoiceStatus invoice={invoice} />}
      actions={(invoice) => (
        <>
          <InvoiceActions invoice={invoice} />
          {BigInt(invoice.amountPaidCents) > 0n && <RefundButton of={{ kind: 'invoice', invoice }} />}
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
        </>
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
      <Section title="Summary">
        <Facts
          of={[
            ['Subtotal', <Money key="s" cents={invoice.subtotalCents} />],
            ...discountFacts(invoice),
            ...taxFacts(invoice.taxes),
            ['Credit applied', <Money key="c" cents={invoice.creditAppliedCents} />],
            ['Total', <Money key="t" cents={invoice.totalCents} />],
            ['Paid', <Money key="p" cents={invoice.amountPaidCents} />],
            ['Refunded', <Money key="r" cents={invoice.refundedCents} />],
            ['Amount due', <Money key="d" cents={invoice.amountDueCents} />],
          ]}
        />
      </Section>
      <RefundsOf of={{ invoiceId: invoice.id }} />
      <Section title="Details">
        <Facts
          of={[
            ['Type', reasonText(invoice)],
            ['Customer', <CustomerLink key="cu" id={invoice.customerId} />],
            ...(invoice.billingReason === 'manual' ? byHandFacts(invoice) : []),
            ['Due date', dueText(invoice) ?? <Time key="du" at={invoice.dueAt} />],
            ['Paid on', <Time key="pa" at={invoice.paidAt} />],
            ['Period start', <Time key="pb" at={invoice.periodStart} />],
            ['Period end', <Time key="pe" at={invoice.periodEnd} />],
            [
              'Checkout',
              <To key="ch" label="View checkout" base="/checkout-sessions" id={invoice.checkoutSessionId} />,
            ],
            [
              'Subscription',
              <To key="su" label="View subscription" base="/subscriptions" id={invoice.subscriptionId} />,
            ],
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
            ['Invoice ID', <Copyable key="id" text={invoice.id} label="invoice ID" />],
          ]}
        />
      </Section>
      <MetadataSection
        metadata={invoice.metadata}
        save={(metadata) => florin.invoices.update(invoice.id, { metadata })}
        refresh={['invoices']}
      />
    </>
  );
}

const dueText = ({ draft }: Invoice) =>
  draft?.netDays ? `${daysText(draft.netDays)} after it is opened` : undefined;

function byHandFacts({ checkoutUrl, openedAt, sentAt, memo }: Invoice): [string, ReactNode][] {
  return [
    ['Payment link', checkoutUrl ? <Copyable key="url" text={checkoutUrl} label="payment link" /> : '–'],
    ['Opened', <Time key="op" at={openedAt} />],
    ['Sent', <Time key="se" at={sentAt} />],
    [
      'Note',
      memo === null ? (
        '–'
      ) : (
        <span key="me" style={{ whiteSpace: 'pre-line' }}>
          {memo}
        </span>
      ),
    ],
  ];
}

function To({ label, base, id }: { label: string; base: string; id: string | null }) {
  if (id === null) return <>–</>;
  return (
    <Anchor component={Link} to={`${base}/${id}`} size="sm">
      {label}
    </Anchor>
  );
}
