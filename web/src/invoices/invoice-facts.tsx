import type { Invoice } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { CustomerLink } from '../billing/names.tsx';
import { ProjectLink } from '../billing/project-field.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Time } from '../parts/time.tsx';
import { To } from '../parts/to.tsx';
import { t, tn } from '../words/t.ts';
import { reasonText } from './invoice-columns.tsx';

/** Facts about an invoice, and links to what it belongs to. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { customerId, subscriptionId, checkoutSessionId, checkoutUrl, memo, dueAt, periodStart } = invoice;
  const isByHand = invoice.billingReason === 'manual';
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [t('Type'), reasonText(invoice)],
            [t('Customer'), customerId && <CustomerLink key="cu" id={customerId} />],
            [t('Payment'), checkoutSessionId && <PaymentOf key="pa" checkoutSessionId={checkoutSessionId} />],
            [
              t('Checkout'),
              checkoutSessionId && (
                <To key="ch" to={`/checkout-sessions/${checkoutSessionId}`}>
                  {t('View checkout')}
                </To>
              ),
            ],
            [
              t('Subscription'),
              subscriptionId && (
                <To key="su" to={`/subscriptions/${subscriptionId}`}>
                  {t('View subscription')}
                </To>
              ),
            ],
            [
              t('Payment link'),
              isByHand && checkoutUrl && <Copyable key="url" text={checkoutUrl} label={t('payment link')} />,
            ],
            [t('Due date'), dueText(invoice) ?? (dueAt && <Time key="du" at={dueAt} />)],
            [t('Period start'), periodStart && <Time key="pb" at={periodStart} />],
            [t('Period end'), invoice.periodEnd && <Time key="pe" at={invoice.periodEnd} />],
            [t('Reference'), invoice.merchantReference],
            [
              t('Note'),
              memo && (
                <span key="me" style={{ whiteSpace: 'pre-line' }}>
                  {memo}
                </span>
              ),
            ],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          [t('Invoice ID'), invoice.id],
          [
            t('Transaction'),
            invoice.txSignature && (
              <OnChain key="tx" kind="tx" text={invoice.txSignature} label={t('transaction')} />
            ),
          ],
          [t('Client reference'), invoice.clientReferenceId],
          [t('Project'), <ProjectLink key="pr" id={invoice.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={invoice.metadata}
          save={(metadata) => florin.invoices.update(invoice.id, { metadata })}
          refresh={['invoices']}
        />
      </DeveloperDetails>
    </>
  );
}

/** The payment that its checkout requested. */
function PaymentOf({ checkoutSessionId }: { checkoutSessionId: string }) {
  const { data } = useQuery({
    queryKey: ['checkout-sessions', 'one', checkoutSessionId],
    queryFn: () => florin.checkoutSessions.retrieve(checkoutSessionId),
  });
  return data ? <To to={`/payments/${data.paymentIntentId}`}>{t('View payment')}</To> : '…';
}

const dueText = ({ draft }: Invoice) =>
  draft?.netDays
    ? tn(draft.netDays, '{count} day after it is opened', '{count} days after it is opened')
    : undefined;
