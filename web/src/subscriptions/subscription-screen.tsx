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
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
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
      back={{ to: '/subscriptions', label: t('Subscriptions') }}
      title={({ customer }) => (customer ? customerText(customer) : t('Subscription'))}
      subtitle={({ priceId, quantity }) => (
        <Dotted
          of={[
            <PriceName key="p" id={priceId} />,
            quantity > 1 && t('Quantity {quantity}', { quantity: numberText(quantity) }),
          ]}
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
    done: t('Subscription resumed. It renews as usual.'),
  });
  return (
    <Button size="xs" variant="default" onClick={() => undo.mutate()} loading={undo.isPending}>
      {t('Resume')}
    </Button>
  );
}

function SubscriptionParts({ subscription }: { subscription: Subscription }) {
  const of = { subscriptionId: subscription.id };
  return (
    <>
      <State subscription={subscription} />
      <PendingChange subscription={subscription} />
      <Section title={t('Timeline')}>
        <Timeline steps={stepsOf(subscription)} />
      </Section>
      <ShortList
        title={t('Payments')}
        name="checkout-sessions"
        of={of}
        load={(limit) => florin.checkoutSessions.list({ ...of, expand: 'invoice', limit })}
        columns={PURCHASES}
        hrefOf={({ paymentIntentId }) => `/payments/${paymentIntentId}`}
        empty={t('No payments yet.')}
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
          {t('The subscription starts when the first payment arrives.')}
        </Alert>
      )}
      {isTrial && !cancelAtPeriodEnd && !renewalCheckoutUrl && (
        <Alert color="gray" mb="md" title={t('Free trial')}>
          <T
            of="The first invoice opens before the trial ends on {time}."
            time={<Time at={subscription.trialEndsAt} />}
          />
        </Alert>
      )}
      {isRunning(subscription) && cancelAtPeriodEnd && (
        <Alert
          color="yellow"
          mb="md"
          title={isTrial ? t('Ends with the trial') : t('Ends with the billing period')}
        >
          <T
            of="Access continues until {time}. You can undo this until then."
            time={<Time at={subscription.accessUntil} />}
          />
        </Alert>
      )}
      {!isAlive && renewalCheckoutUrl && (
        <Alert color="gray" mb="md" title={t('Can still be restarted')}>
          <T
            of="If the renewal is paid within 30 days of the end, a new period starts. Payment link: {link}"
            link={<Copyable text={renewalCheckoutUrl} label={t('payment link')} short={false} />}
          />
        </Alert>
      )}
      {isAlive && renewalCheckoutUrl && (
        <Alert color="yellow" mb="md" title={renewalTitle(subscription)}>
          <T
            of="Ends {time} unless paid. Payment link: {link}"
            time={<Time at={graceEndsAt} />}
            link={<Copyable text={renewalCheckoutUrl} label={t('payment link')} short={false} />}
          />
        </Alert>
      )}
    </>
  );
}

const renewalTitle = ({ status }: Subscription) => {
  if (status === 'past_due') return t('Renewal overdue');
  return status === 'trialing' ? t('First payment awaited') : t('Renewal awaiting payment');
};

function WithdrawChange({ subscription }: { subscription: Subscription }) {
  const withdraw = useAction({
    run: () => florin.subscriptions.withdrawChange(subscription.id),
    refresh: ['subscriptions', 'invoices', 'checkout-sessions'],
    done: t('Change withdrawn. The plan stays as it is.'),
  });
  return (
    <Button
      size="xs"
      variant="default"
      mt="sm"
      onClick={() => withdraw.mutate()}
      loading={withdraw.isPending}
    >
      {t('Withdraw change')}
    </Button>
  );
}

function PendingChange({ subscription }: { subscription: Subscription }) {
  const can = useCan();
  const { pendingChange } = subscription;
  if (!pendingChange) return null;
  const { priceId, quantity, effectiveAt, amountDueCents, checkoutUrl, expiresAt, invoiceId } = pendingChange;
  return (
    <Section title={t('Pending change')}>
      <Facts
        of={[
          [t('New plan'), <PriceName key="p" id={priceId} />],
          [t('Quantity'), numberText(quantity)],
          effectiveAt
            ? [t('Takes effect'), <Time key="e" at={effectiveAt} />]
            : [t('Takes effect'), t('When the customer has paid')],
          [t('Amount due'), <Money key="m" cents={amountDueCents} />],
          ...(expiresAt ? [[t('Expires'), <Time key="x" at={expiresAt} />] as const] : []),
          ...(checkoutUrl
            ? [
                [
                  t('Payment link'),
                  <Copyable key="u" text={checkoutUrl} label={t('payment link')} />,
                ] as const,
              ]
            : []),
          ...(invoiceId
            ? [
                [
                  t('Invoice'),
                  <Anchor key="i" component={Link} to={`/invoices/${invoiceId}`} size="sm">
                    {t('View invoice')}
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
