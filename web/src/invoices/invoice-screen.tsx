import type { Int64, Invoice } from '@florin/sdk';
import { Button } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { CustomerLink } from '../billing/names.tsx';
import { discountFacts } from '../discounts/discount-facts.tsx';
import { DetailScreen, Section, Totals } from '../parts/detail-screen.tsx';
import { Dotted } from '../parts/dotted.tsx';
import { Icon } from '../parts/icon.tsx';
import { Money } from '../parts/money.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { UnderpaidActions } from '../payments/underpaid-actions.tsx';
import { RefundButton } from '../refunds/refund-button.tsx';
import { RefundsOf } from '../refunds/refund-columns.tsx';
import { useRefundsOf } from '../refunds/refunds-of.ts';
import { t } from '../words/t.ts';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceStatus, reasonText } from './invoice-columns.tsx';
import { InvoiceFacts } from './invoice-facts.tsx';
import { stepsOf } from './invoice-steps.tsx';
import { Lines } from './lines.tsx';
import { taxFacts } from './tax-facts.tsx';
import { XmlButtons } from './xml-buttons.tsx';

export default function InvoiceScreen() {
  return (
    <DetailScreen<Invoice>
      name="invoices"
      load={(id) => florin.invoices.retrieve(id)}
      back={{ to: '/invoices', label: t('Invoices') }}
      title={({ number }) => (number === null ? t('Draft invoice') : t('Invoice {number}', { number }))}
      subtitle={(invoice) => (
        <Dotted
          of={[
            <Money key="m" cents={invoice.totalCents} />,
            invoice.customerId && <CustomerLink key="c" id={invoice.customerId} />,
            reasonText(invoice),
          ]}
        />
      )}
      aside={(invoice) => <InvoiceFacts invoice={invoice} />}
      badge={(invoice) => <InvoiceStatus invoice={invoice} />}
      actions={(invoice) => (
        <>
          <InvoiceActions invoice={invoice} />
          {isUnderpaid(invoice) && (
            <UnderpaidActions
              of={{ kind: 'invoice', id: invoice.id }}
              paidCents={invoice.amountPaidCents}
              missingCents={invoice.amountDueCents}
            />
          )}
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
            {t('PDF')}
          </Button>
          {invoice.number !== null && invoice.status !== 'void' && (
            <XmlButtons
              number={invoice.number}
              load={(format) => florin.invoices.xml(invoice.id, { format })}
            />
          )}
        </>
      )}
    >
      {(invoice) => <InvoiceParts invoice={invoice} />}
    </DetailScreen>
  );
}

/** Some of it was paid, and the rest is missing. */
function isUnderpaid({ status, amountPaidCents, amountDueCents }: Invoice): boolean {
  const isUnpaid = status === 'open' || status === 'uncollectible';
  return isUnpaid && BigInt(amountPaidCents) > 0n && BigInt(amountDueCents) > 0n;
}

function InvoiceParts({ invoice }: { invoice: Invoice }) {
  const { data: refunds } = useRefundsOf({ invoiceId: invoice.id });
  return (
    <>
      <Section title={t('Summary')}>
        <Lines of={invoice.lines} />
        <Totals
          of={[
            [t('Subtotal'), <Money key="s" cents={invoice.subtotalCents} />],
            ...discountFacts(invoice),
            ...taxFacts(invoice.taxes),
            [t('Credit applied'), someMoney(invoice.creditAppliedCents)],
            [t('Total'), <Money key="t" cents={invoice.totalCents} />],
            [t('Paid'), <Money key="p" cents={invoice.amountPaidCents} />],
            [t('Waived'), someMoney(invoice.waivedCents)],
            [t('Refunded'), someMoney(invoice.refundedCents)],
            [t('Amount due'), <Money key="d" cents={invoice.amountDueCents} />],
          ]}
        />
      </Section>
      <Section title={t('Timeline')}>
        <Timeline steps={stepsOf(invoice, refunds)} />
      </Section>
      <RefundsOf of={{ invoiceId: invoice.id }} />
    </>
  );
}

const someMoney = (cents: Int64) => BigInt(cents) !== 0n && <Money cents={cents} />;
