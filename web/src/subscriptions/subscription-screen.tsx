import type { Subscription } from '@florin/sdk';
import { Alert, Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { CustomerLink, PriceName } from '../billing/names.tsx';
import { ProjectLink } from '../billing/project-field.tsx';
import { INVOICE_COLUMNS } from '../invoices/invoice-columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Money } from '../parts/money.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { CancelSubscription } from './cancel-subscription.tsx';
import { ChangePlan } from './change-plan.tsx';
import { SubscriptionStatus } from './subscription-columns.tsx';

export default function SubscriptionScreen() {
  return (
    <DetailScreen<Subscription>
      name="subscriptions"
      load={(id) => florin.subscriptions.retrieve(id)}
      back={{ to: '/subscriptions', label: 'Subscriptions' }}
      title={() => 'Subscription'}
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
      {status === 'active' && !cancelAtPeriodEnd && <ChangePlan subscription={subscription} />}
      {cancelAtPeriodEnd && <UndoCancel subscription={subscription} />}
      <CancelSubscription subscription={subscription} />
    </>
  );
}

function UndoCancel({ subscription }: { subscription: Subscription }) {
  const undo = useAction({
    run: () => florin.subscriptions.update(subscription.id, { cancelAtPeriodEnd: false }),
    refresh: ['subscriptions'],
    done: 'It goes on: the next renewal is asked for as usual.',
  });
  return (
    <Button size="xs" variant="default" onClick={() => undo.mutate()} loading={undo.isPending}>
      Let it go on
    </Button>
  );
}

function SubscriptionParts({ subscription }: { subscription: Subscription }) {
  const of = { subscriptionId: subscription.id };
  return (
    <>
      <State subscription={subscription} />
      <Facts
        of={[
          ['Plan', <PriceName key="p" id={subscription.priceId} />],
          ['Customer', <CustomerLink key="c" id={subscription.customerId} />],
          ['Access', subscription.hasAccess ? 'Yes' : 'No'],
          ['Access until', <Time key="au" at={subscription.accessUntil} />],
          ['Period began', <Time key="pb" at={subscription.currentPeriodStart} />],
          ['Period ends', <Time key="pe" at={subscription.currentPeriodEnd} />],
          ...(subscription.canceledAt
            ? ([
                ['Ended', <Time key="en" at={subscription.canceledAt} />],
                ['Why', whyText(subscription)],
              ] as const)
            : []),
          ['Project', <ProjectLink key="pr" id={subscription.projectId} />],
          ['Created', <Time key="cr" at={subscription.createdAt} />],
          ['Subscription id', <Copyable key="id" text={subscription.id} label="subscription id" />],
        ]}
      />
      <PendingChange subscription={subscription} />
      <ShortList
        title="Invoices"
        name="invoices"
        of={of}
        rows={10}
        load={(limit) => florin.invoices.list({ ...of, limit })}
        columns={INVOICE_COLUMNS}
        hrefOf={({ id }) => `/invoices/${id}`}
        all={{ to: '/invoices', search: of }}
        empty="None yet."
      />
    </>
  );
}

const whyText = ({ cancelReason }: Subscription) =>
  cancelReason === null
    ? '–'
    : cancelReason === 'requested'
      ? 'Somebody asked for it'
      : 'A renewal was not paid';

/** What stands out, and what to do about it. */
function State({ subscription }: { subscription: Subscription }) {
  const { status, cancelAtPeriodEnd, renewalCheckoutUrl, graceEndsAt } = subscription;
  const isAlive = status === 'active' || status === 'past_due';
  return (
    <>
      {status === 'incomplete' && (
        <Alert color="gray" mb="md">
          It begins when the first payment arrives.
        </Alert>
      )}
      {status === 'active' && cancelAtPeriodEnd && (
        <Alert color="yellow" mb="md" title="It ends with what is paid">
          Access stays until <Time at={subscription.accessUntil} />. Until then it can be taken back.
        </Alert>
      )}
      {!isAlive && renewalCheckoutUrl && (
        <Alert color="gray" mb="md" title="It can still be brought back">
          Paid within 30 days of its end, the renewal begins a new period. The customer pays here:{' '}
          <Copyable text={renewalCheckoutUrl} label="renewal address" short={false} />
        </Alert>
      )}
      {isAlive && renewalCheckoutUrl && (
        <Alert
          color="yellow"
          mb="md"
          title={status === 'past_due' ? 'The renewal is overdue' : 'The renewal waits to be paid'}
        >
          Unpaid, it ends on <Time at={graceEndsAt} />. The customer pays here:{' '}
          <Copyable text={renewalCheckoutUrl} label="renewal address" short={false} />
        </Alert>
      )}
    </>
  );
}

function WithdrawChange({ subscription }: { subscription: Subscription }) {
  const withdraw = useAction({
    run: () => florin.subscriptions.withdrawChange(subscription.id),
    refresh: ['subscriptions', 'invoices', 'checkout-sessions'],
    done: 'The change is withdrawn: the plan stays as it is.',
  });
  return (
    <Button
      size="xs"
      variant="default"
      mt="sm"
      onClick={() => withdraw.mutate()}
      loading={withdraw.isPending}
    >
      Withdraw the change
    </Button>
  );
}

function PendingChange({ subscription }: { subscription: Subscription }) {
  const can = useCan();
  const { pendingChange } = subscription;
  if (!pendingChange) return null;
  const { priceId, effectiveAt, amountDueCents, checkoutUrl, expiresAt, invoiceId } = pendingChange;
  return (
    <Section title="A change waits">
      <Facts
        of={[
          ['To', <PriceName key="p" id={priceId} />],
          effectiveAt
            ? ['Takes effect', <Time key="e" at={effectiveAt} />]
            : ['Takes effect', 'When the customer has paid it'],
          ['To pay', <Money key="m" cents={amountDueCents} />],
          ...(expiresAt ? [['Dropped if unpaid by', <Time key="x" at={expiresAt} />] as const] : []),
          ...(checkoutUrl
            ? [
                [
                  'Paid at',
                  <Copyable key="u" text={checkoutUrl} label="address to pay the change at" />,
                ] as const,
              ]
            : []),
          ...(invoiceId
            ? [
                [
                  'Invoice',
                  <Anchor key="i" component={Link} to={`/invoices/${invoiceId}`} size="sm">
                    Open it
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
