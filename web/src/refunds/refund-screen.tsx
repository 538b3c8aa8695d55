import type { Refund } from '@florin/sdk';
import { Alert, Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { CustomerLink, InvoiceLink } from '../billing/names.tsx';
import { XmlButtons } from '../invoices/xml-buttons.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Dotted } from '../parts/dotted.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { QrCode, qrSvg } from '../parts/qr-code.tsx';
import { Time } from '../parts/time.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { To } from '../parts/to.tsx';
import { t, tc } from '../words/t.ts';
import { REASONS } from './reasons.ts';
import { RefundAddress } from './refund-address.tsx';
import { REFUND_REFRESH } from './refund-button.tsx';
import { RefundStatus } from './refund-columns.tsx';
import { stepsOf } from './refund-steps.ts';
import { SendButtons } from './send-buttons.tsx';
import { isUnderWay } from './sending.ts';

export default function RefundScreen() {
  return (
    <DetailScreen<Refund>
      name="refunds"
      load={(id) => florin.refunds.retrieve(id)}
      back={{ to: '/refunds', label: t('Refunds') }}
      title={({ number }) => t('Refund {number}', { number })}
      subtitle={({ amountCents, customerId, reason }) => (
        <Dotted
          of={[
            <Money key="m" cents={amountCents} />,
            customerId && <CustomerLink key="c" id={customerId} />,
            REASONS[reason],
          ]}
        />
      )}
      aside={(refund) => <RefundFacts refund={refund} />}
      badge={(refund) => <RefundStatus refund={refund} />}
      actions={(refund) => <CancelRefund refund={refund} />}
    >
      {(refund) => (
        <>
          <Excess refund={refund} />
          {refund.note && (
            <Section title={t('Note')}>
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {refund.note}
              </Text>
            </Section>
          )}
          <RefundAddress refund={refund} />
          {refund.paymentUrl && <Send refund={refund} url={refund.paymentUrl} />}
          <Section title={t('Timeline')}>
            <Timeline steps={stepsOf(refund)} />
          </Section>
        </>
      )}
    </DetailScreen>
  );
}

/** Warning about money sent beyond the refund, which a person must settle: the exceptions show how much it is. */
function Excess({ refund }: { refund: Refund }) {
  const query = { refundId: refund.id, kind: ['over_refunded' as const] };
  const { data } = useQuery({
    queryKey: ['exceptions', 'of refund', refund.id, refund.amountSentCents],
    queryFn: async () => (await florin.exceptions.list({ ...query, limit: 100 })).data,
    enabled: BigInt(refund.amountSentCents) > 0n,
  });
  if (!data?.length) return null;
  const cents = data.reduce((sum, { amountCents }) => sum + BigInt(amountCents ?? 0), 0n);
  const isOpen = data.some(({ status }) => status === 'open');
  return (
    <Alert color={isOpen ? 'orange' : 'gray'} mb="md" maw={640} role="note">
      {t('{amount} USDC more than was due reached the address.', { amount: moneyText(cents) })}{' '}
      <Anchor
        component={Link}
        to={`/exceptions?refundId=${refund.id}&kind=over_refunded`}
        size="sm"
        underline="always"
      >
        {isOpen ? t('Settle it') : t('See how it was settled')}
      </Anchor>
    </Alert>
  );
}

function CancelRefund({ refund }: { refund: Refund }) {
  const can = useCan();
  if (!can.own || (refund.status !== 'awaiting_address' && refund.status !== 'ready')) return null;
  return (
    <DialogForm
      button={t('Cancel refund')}
      title={t('Cancel {number}?', { number: refund.number })}
      kind="danger"
      submit={t('Cancel refund')}
      run={() => florin.refunds.cancel(refund.id)}
      refresh={REFUND_REFRESH}
      done={t('Refund canceled.')}
    >
      <Text size="sm">
        {t(
          'Its link stops working, and the amount can be refunded again. A transaction that your wallet has signed already may still land: it counts then.',
        )}
      </Text>
    </DialogForm>
  );
}

/** Section to send it with a wallet here, with one on a phone, or in the sandbox with the test wallet. */
function Send({ refund, url }: { refund: Refund; url: string }) {
  const isBusy = isUnderWay(refund);
  return (
    <Section title={t('Send it')}>
      <Group align="start" gap="xl">
        {!isBusy && (
          <QrCode
            svg={qrSvg(url)}
            alt={t('Solana Pay code of {number}', { number: refund.number })}
            isLarge
          />
        )}
        <div>
          <SendButtons refunds={[refund]} labelOf={(wallet) => t('Pay with {wallet}', { wallet })} />
          <Text c="dimmed" size="sm" my="xs" maw={380}>
            {isBusy
              ? t('Somebody is sending this refund. Sent again now, it could be paid twice.')
              : t(
                  'Your own wallet sends it: one in this browser, or one on a phone that reads the code. Send it once. The chain shows it, and the refund is done.',
                )}
          </Text>
          {!isBusy && (
            <Group gap="sm">
              <Copyable text={url} label={t('Solana Pay URL')} />
              <Anchor href={url} size="sm" hiddenFrom="sm">
                {t('Open in a wallet app')}
              </Anchor>
            </Group>
          )}
        </div>
      </Group>
    </Section>
  );
}

function RefundFacts({ refund }: { refund: Refund }) {
  const { customerId, paymentIntentId, invoiceId, exceptionId, creditNoteId, status } = refund;
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [t('Amount'), <Money key="a" cents={refund.amountCents} />],
            [t('Sent'), <Money key="s" cents={refund.amountSentCents} />],
            [t('Reason'), REASONS[refund.reason]],
            [t('Customer'), customerId && <CustomerLink key="c" id={customerId} />],
            [
              t('Payment'),
              paymentIntentId && (
                <To key="p" to={`/payments/${paymentIntentId}`}>
                  {t('View payment')}
                </To>
              ),
            ],
            [t('Invoice'), invoiceId && <InvoiceLink key="i" id={invoiceId} />],
            [
              t('Exception'),
              exceptionId && (
                <To key="e" to={`/exceptions?exceptionId=${exceptionId}`}>
                  {t('View exception')}
                </To>
              ),
            ],
            [t('E-mail to the customer'), EMAILS[refund.claimEmailStatus ?? 'none']],
            [t('Effects'), effectsText(refund)],
            [
              t('Credit note'),
              creditNoteId && <CreditNote key="n" id={creditNoteId} number={refund.creditNoteNumber!} />,
            ],
            [t('Created'), <Time key="cr" at={refund.createdAt} />],
            [t('Expires'), status !== 'succeeded' && <Time key="ex" at={refund.expiresAt} />],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          [t('Refund ID'), refund.id],
          [
            t('Transaction'),
            refund.txSignature && (
              <OnChain key="t" kind="tx" text={refund.txSignature} label={t('transaction')} />
            ),
          ],
          [
            t('Reference'),
            <OnChain key="r" kind="address" text={refund.referenceAddress} label={t('reference')} />,
          ],
        ]}
      >
        <MetadataSection
          metadata={refund.metadata}
          save={(metadata) => florin.refunds.update(refund.id, { metadata })}
          refresh={['refunds']}
        />
      </DeveloperDetails>
    </>
  );
}

function effectsText({ effects: { revokeCredits, cancelSubscription } }: Refund): string {
  if (revokeCredits && cancelSubscription) return t('Takes back credits, cancels the subscription');
  if (revokeCredits) return t('Takes back credits');
  return cancelSubscription ? t('Cancels the subscription') : tc('effects', 'None');
}

function CreditNote({ id, number }: { id: string; number: string }) {
  return (
    <Group gap="xs">
      <Anchor href={`/api/v2/credit-notes/${id}/pdf`} target="_blank" rel="noreferrer" size="sm">
        {number}
      </Anchor>
      <XmlButtons number={number} load={(format) => florin.creditNotes.xml(id, { format })} />
    </Group>
  );
}

/** The one that asks for an address. */
const EMAILS = {
  none: t('Not asked by e-mail'),
  queued: t('Waiting to be sent'),
  sent: tc('state', 'Sent'),
  failed: t('Not sent'),
} as const;
