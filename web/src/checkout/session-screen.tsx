import type { CheckoutSession } from '@florin/sdk';
import { Button, Text } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { buyerText, linesText } from '../billing/checkout-of.ts';
import { CustomerLink } from '../billing/names.tsx';
import { daysText, MODE_NAMES } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { discountFacts } from '../discounts/discount-facts.tsx';
import { Lines } from '../invoices/lines.tsx';
import { taxFacts } from '../invoices/tax-facts.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section, Totals } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Dotted } from '../parts/dotted.tsx';
import { Icon } from '../parts/icon.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import { To } from '../parts/to.tsx';
import { TimelineOfPayment } from '../payments/payment-timeline.tsx';
import { t, tc } from '../words/t.ts';
import { checkoutLinks } from './checkout-links.tsx';
import { SessionStatus } from './session-status.tsx';

export default function SessionScreen() {
  return (
    <DetailScreen<CheckoutSession>
      name="checkout-sessions"
      load={(id) => florin.checkoutSessions.retrieve(id)}
      back={{ to: '/checkout-sessions', label: t('Checkouts') }}
      title={({ amountCents }) => `${moneyText(amountCents)} USDC`}
      subtitle={(session) => (
        <Dotted
          of={[
            session.customerId ? <CustomerLink key="c" id={session.customerId} /> : buyerText(session),
            linesText(session.lineItems),
          ]}
        />
      )}
      aside={(session) => <SessionFacts session={session} />}
      badge={(session) => <SessionStatus session={session} />}
      actions={(session) => <Actions session={session} />}
    >
      {(session) => <SessionParts session={session} />}
    </DetailScreen>
  );
}

function Actions({ session }: { session: CheckoutSession }) {
  const can = useCan();
  const { status, paymentStatus } = session;
  if (status !== 'open') return null;
  const isUnseen = paymentStatus === 'unpaid';
  return (
    <>
      <Button
        component="a"
        href={session.checkoutUrl}
        target="_blank"
        rel="noreferrer"
        size="xs"
        variant="default"
        leftSection={<Icon name="external" />}
      >
        {t('Open page')}
      </Button>
      {can.playSandbox && paymentStatus !== 'processing' && <PayTest session={session} />}
      {can.change && isUnseen && <CancelSession session={session} />}
    </>
  );
}

/** Button with which a buyer's wallet pays in the sandbox. */
function PayTest({ session }: { session: CheckoutSession }) {
  const pay = useAction({
    run: () => florin.sandbox.pay({ paymentIntentId: session.paymentIntentId }),
    refresh: ['checkout-sessions', 'invoices'],
    done: t('Test payment sent.'),
  });
  return (
    <Button size="xs" variant="default" onClick={() => pay.mutate()} loading={pay.isPending}>
      {t('Pay with test money')}
    </Button>
  );
}

function CancelSession({ session }: { session: CheckoutSession }) {
  return (
    <DialogForm
      button={tc('action', 'Cancel')}
      title={t('Cancel this checkout?')}
      kind="danger"
      submit={t('Cancel checkout')}
      run={() => florin.checkoutSessions.cancel(session.id)}
      refresh={['checkout-sessions', 'invoices', 'subscriptions']}
      done={t('Checkout canceled.')}
    >
      <Text size="sm">
        {t(
          'The page stops accepting payments and the invoice is voided. A payment already on its way is listed under Exceptions.',
        )}
      </Text>
    </DialogForm>
  );
}

function SessionParts({ session }: { session: CheckoutSession }) {
  return (
    <>
      {session.status === 'open' && (
        <Section title={t('Checkout link')}>
          <Copyable text={session.checkoutUrl} label={t('checkout link')} short={false} />
        </Section>
      )}
      <Section title={t('Summary')}>
        <Lines of={session.lineItems} />
        <Totals
          of={[
            ...discountFacts(session),
            ...taxFacts(session.taxes),
            [t('Total'), <Money key="t" cents={session.amountCents} />],
            [t('Received'), <Money key="m" cents={session.amountReceivedCents} />],
          ]}
        />
      </Section>
      <Section title={t('Timeline')}>
        <TimelineOfPayment id={session.paymentIntentId} />
      </Section>
    </>
  );
}

function SessionFacts({ session }: { session: CheckoutSession }) {
  const { trialDays, status } = session;
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [t('Type'), MODE_NAMES[session.mode]],
            [t('Free trial'), trialDays && daysText(trialDays)],
            [t('E-mail'), session.customerEmail],
            [t('Reference'), session.merchantReference],
            [
              t('Payment'),
              <To key="t" to={`/payments/${session.paymentIntentId}`}>
                {t('View payment')}
              </To>,
            ],
            ...checkoutLinks(session),
            [t('Created'), <Time key="cr" at={session.createdAt} />],
            [t('Expires'), status === 'open' && <Time key="e" at={session.expiresAt} />],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          [t('Checkout ID'), session.id],
          [t('Price ID'), session.priceId],
          [t('Client reference'), session.clientReferenceId],
          [t('Success URL'), session.successUrl],
          [t('Cancel URL'), session.cancelUrl],
          [t('Project'), <ProjectLink key="pr" id={session.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={session.metadata}
          save={(metadata) => florin.checkoutSessions.update(session.id, { metadata })}
          refresh={['checkout-sessions']}
        />
      </DeveloperDetails>
    </>
  );
}
