import type { Subscription } from '@florin/sdk';
import { Alert, Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { customerText, PriceName } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
import { PURCHASES } from '../checkout/purchase-columns.tsx';
import { INVOICE_COLUMNS } from '../invoices/invoice-columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Dotted } from '../parts/dotted.tsx';
import { Money } from '../parts/money.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { CancelSubscription } from './cancel-subscription.tsx';
import { ChangePlan } from './change-plan.tsx';
import { isRunning, SubscriptionStatus } from './subscription-columns.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { stepsOf } from './subscription-steps.ts';

export default function SubscriptionScreen() {
  return (
    <DetailScreen
      name="subscriptions"
      load={(id) => florin.subscriptions.retrieve(id, { expand: 'customer' })}
      back={{ to: '/subscriptions', label: 'Subscriptions' }}
      title={({ customer }) => (customer ? customerText(customer) : 'Subscription')}
      subtitle={({ priceId, quantity }) => (
        <Dotted
          of={[<PriceName key="p" id={priceId} />, quantity > 1 && `Quantity ${numberText(quantity)}`]}
        />
      )}
      aside={(subscription) => <SubscriptionFacts subscription={subscription} />}
      badge={(subscription) => <SubscriptionStatus subscription={subscription} />}
      actions={(subscription) => <Actions subscription={subscription} />}
    >
      {(subscription) => <SubscriptionParts subscription={subscription} />}
    </DetailScreen>
  );
}

function Actions({ subscription }: { subscription: Subscription }) {
  const can = useCan();
  const { status, cancelAtPeriodEnd } = subscription;
  if (!can.change || status === 'canceled' || status === 'incomplete_expired') return null;
  return (
    <>
      {isRunning(subscription) && !cancelAtPeriodEnd && <ChangePlan subscription={subscription} />}
      {cancelAtPeriodEnd && <UndoCancel subscription={subscription} />}
      <CancelSubscription subscription={subscription} />
    </>
  );
}

function UndoCancel({ subscription }: { subscription: Subscription }) {
  const undo = useAction({
    run: () => florin.subscriptions.update(subscription.id, { cancelAtPeriodEnd: false }),
    refresh: ['subscriptions'],
    done: 'Subscription resumed. It renews as usual.',
  });
  return (
    <Button size="xs" variant="default" onClick={() => undo.mutate()} loading={undo.isPending}>
      Resume
    </Button>
  );
}

function SubscriptionParts({ subscription }: { subscription: Subscription }) {
  const of = { subscriptionId: subscription.id };
  return (
    <>
      <State subscription={subscription} />
      <PendingChange subscription={subscription} />
      <Section title="Timeline">
        <Timeline steps={stepsOf(subscription)} />
      </Section>
      <ShortList
        title="Payments"
        name="checkout-sessions"
        of={of}
        load={(limit) => florin.checkoutSessions.list({ ...of, limit })}
        columns={PURCHASES}
        hrefOf={({ paymentIntentId }) => `/payments/${paymentIntentId}`}
        empty="No payments yet."
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
    </>
  );
}

/** The state that needs attention, and what to do about it. */
function State({ subscription }: { subscription: Subscription }) {
  const { status, cancelAtPeriodEnd, renewalCheckoutUrl, graceEndsAt } = subscription;
  const isTrial = status === 'trialing';
  const isAlive = isRunning(subscription) || status === 'past_due';
  return (
    <>
      {status === 'incomplete' && (
        <Alert color="gray" mb="md">
          The subscription starts when the first payment arrives.
        </Alert>
      )}
      {isTrial && !cancelAtPeriodEnd && !renewalCheckoutUrl && (
        <Alert color="gray" mb="md" title="Free trial">
          The first invoice opens before the trial ends on <Time at={subscription.trialEndsAt} />.
        </Alert>
      )}
      {isRunning(subscription) && cancelAtPeriodEnd && (
        <Alert
          color="yellow"
          mb="md"
          title={isTrial ? 'Ends with the trial' : 'Ends with the billing period'}
        >
          Access continues until <Time at={subscription.accessUntil} />. You can undo this until then.
        </Alert>
      )}
      {!isAlive && renewalCheckoutUrl && (
        <Alert color="gray" mb="md" title="Can still be restarted">
          If the renewal is paid within 30 days of the end, a new period starts. Payment link:{' '}
          <Copyable text={renewalCheckoutUrl} label="payment link" short={false} />
        </Alert>
      )}
      {isAlive && renewalCheckoutUrl && (
        <Alert color="yellow" mb="md" title={renewalTitle(subscription)}>
          Ends <Time at={graceEndsAt} /> unless paid. Payment link:{' '}
          <Copyable text={renewalCheckoutUrl} label="payment link" short={false} />
        </Alert>
      )}
    </>
  );
}

const renewalTitle = ({ status }: Subscription) => {
  if (status === 'past_due') return 'Renewal overdue';
  return status === 'trialing' ? 'First payment awaited' : 'Renewal awaiting payment';
};

function WithdrawChange({ subscription }: { subscription: Subscription }) {
  const withdraw = useAction({
    run: () => florin.subscriptions.withdrawChange(subscription.id),
    refresh: ['subscriptions', 'invoices', 'checkout-sessions'],
    done: 'Change withdrawn. The plan stays as it is.',
  });
  return (
    <Button
      size="xs"
      variant="default"
      mt="sm"
      onClick={() => withdraw.mutate()}
      loading={withdraw.isPending}
    >
      Withdraw change
    </Button>
  );
}

function PendingChange({ subscription }: { subscription: Subscription }) {
  const can = useCan();
  const { pendingChange } = subscription;
  if (!pendingChange) return null;
  const { priceId, quantity, effectiveAt, amountDueCents, checkoutUrl, expiresAt, invoiceId } = pendingChange;
  return (
    <Section title="Pending change">
      <Facts
        of={[
          ['New plan', <PriceName key="p" id={priceId} />],
          ['Quantity', numberText(quantity)],
          effectiveAt
            ? ['Takes effect', <Time key="e" at={effectiveAt} />]
            : ['Takes effect', 'When the customer has paid'],
          ['Amount due', <Money key="m" cents={amountDueCents} />],
          ...(expiresAt ? [['Expires', <Time key="x" at={expiresAt} />] as const] : []),
          ...(checkoutUrl
            ? [['Payment link', <Copyable key="u" text={checkoutUrl} label="payment link" />] as const]
            : []),
          ...(invoiceId
            ? [
                [
                  'Invoice',
                  <Anchor key="i" component={Link} to={`/invoices/${invoiceId}`} size="sm">
                    {' '}
                    View invoice{' '}
                  </Anchor>,
                ] as const,
              ]
            : []),
        ]}
      />
      {can.change && <WithdrawChange subscription={subscription} />}
    </Section>
  );
}
