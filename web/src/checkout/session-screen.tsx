import type { CheckoutSession } from '@florin/sdk';
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { CustomerLink, PriceName } from '../billing/names.tsx';
import { daysText, MODE_NAMES } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { discountFacts } from '../discounts/discount-facts.tsx';
import { LINE_COLUMNS, lineKeys } from '../invoices/line-columns.tsx';
import { taxFacts } from '../invoices/tax-facts.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Icon } from '../parts/icon.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { TimelineOfPayment } from '../payments/payment-timeline.tsx';
import { SessionStatus } from './session-status.tsx';

export default function SessionScreen() {
  return (
    <DetailScreen<CheckoutSession>
      name="checkout-sessions"
      load={(id) => florin.checkoutSessions.retrieve(id)}
      back={{ to: '/checkout-sessions', label: 'Checkouts' }}
      title={({ amountCents }) => `${moneyText(amountCents)} USDC`}
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
        Open page
      </Button>
      {can.playSandbox && paymentStatus !== 'processing' && <PayTest session={session} />}
      {can.change && isUnseen && <CancelSession session={session} />}
    </>
  );
}

/** In the sandbox a buyer's wallet pays at the press of a button. */
function PayTest({ session }: { session: CheckoutSession }) {
  const pay = useAction({
    run: () => florin.sandbox.pay({ paymentIntentId: session.paymentIntentId }),
    refresh: ['checkout-sessions', 'invoices'],
    done: 'Test payment sent.',
  });
  return (
    <Button size="xs" variant="default" onClick={() => pay.mutate()} loading={pay.isPending}>
      Pay with test money
    </Button>
  );
}

function CancelSession({ session }: { session: CheckoutSession }) {
  return (
    <DialogForm
      button="Cancel"
      title="Cancel this checkout?"
      kind="danger"
      submit="Cancel checkout"
      run={() => florin.checkoutSessions.cancel(session.id)}
      refresh={['checkout-sessions', 'invoices', 'subscriptions']}
      done="Checkout canceled."
    >
      <Text size="sm">
        The page stops accepting payments and the invoice is voided. A payment already on its way is listed
        under Exceptions.
      </Text>
    </DialogForm>
  );
}

function SessionParts({ session }: { session: CheckoutSession }) {
  return (
    <>
      {session.status === 'open' && (
        <Section title="Checkout link">
          <Copyable text={session.checkoutUrl} label="checkout link" short={false} />
        </Section>
      )}
      <PlainTable
        caption="Lines"
        columns={LINE_COLUMNS}
        items={session.lineItems}
        idOf={lineKeys(session.lineItems)}
      />
      <Section title="Timeline">
        <TimelineOfPayment id={session.paymentIntentId} />
      </Section>
      <Section title="Details">
        <Facts
          of={[
            ['Type', MODE_NAMES[session.mode]],
            ...(session.priceId ? [['Price', <PriceName key="p" id={session.priceId} />] as const] : []),
            ...discountFacts(session),
            ...taxFacts(session.taxes),
            ...(session.trialDays ? [['Free trial', daysText(session.trialDays)] as const] : []),
            ['Received', <Money key="m" cents={session.amountReceivedCents} />],
            ['Customer', <CustomerLink key="c" id={session.customerId} />],
            ['E-mail', session.customerEmail ?? '–'],
            ['Reference', session.merchantReference ?? '–'],
            ['Client reference', session.clientReferenceId ?? '–'],
            ['Invoice', <To key="i" href={`/invoices/${session.invoiceId}`} text="View invoice" />],
            ['Payment', <To key="t" href={`/payments/${session.paymentIntentId}`} text="View payment" />],
            [
              'Subscription',
              session.subscriptionId ? (
                <To key="s" href={`/subscriptions/${session.subscriptionId}`} text="View subscription" />
              ) : (
                '–'
              ),
            ],
            ['Success URL', session.successUrl ?? 'None'],
            ['Cancel URL', session.cancelUrl ?? '–'],
            ['Project', <ProjectLink key="pr" id={session.projectId} />],
            ['Expires', <Time key="e" at={session.expiresAt} />],
            ['Checkout ID', <Copyable key="id" text={session.id} label="checkout ID" />],
          ]}
        />
      </Section>
      <MetadataSection
        metadata={session.metadata}
        save={(metadata) => florin.checkoutSessions.update(session.id, { metadata })}
        refresh={['checkout-sessions']}
      />
    </>
  );
}

function To({ href, text }: { href: string; text: string }) {
  return (
    <Anchor component={Link} to={href} size="sm">
      {text}
    </Anchor>
  );
}
