import type { PaymentIntent } from '@florin/sdk';
import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useNow } from '../app/now.ts';
import { useCan } from '../app/session.ts';
import { buyerText, linesText, useCheckoutOf } from '../billing/checkout-of.ts';
import { CustomerLink } from '../billing/names.tsx';
import { discountFacts } from '../discounts/discount-facts.tsx';
import { Lines } from '../invoices/lines.tsx';
import { taxFacts } from '../invoices/tax-facts.tsx';
import { NotesSection } from '../notes/notes-section.tsx';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { DetailScreen, Section, Totals } from '../parts/detail-screen.tsx';
import { Dotted } from '../parts/dotted.tsx';
import { Icon } from '../parts/icon.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { RefundButton } from '../refunds/refund-button.tsx';
import { RefundsOf } from '../refunds/refund-columns.tsx';
import { refundedCents, useRefundsOf } from '../refunds/refunds-of.ts';
import { t } from '../words/t.ts';
import { countedCents, refundState } from './payment-amount.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { PaymentTimeline, useHistory } from './payment-timeline.tsx';
import { UnderpaidActions } from './underpaid-actions.tsx';

export default function PaymentScreen() {
  return (
    <DetailScreen
      name="intents"
      load={(id) => florin.intents.retrieve(id)}
      back={{ to: '/payments', label: t('Payments') }}
      title={(intent) => `${moneyText(countedCents(amountsOf(intent)))} USDC`}
      subtitle={(intent) => <Paid intent={intent} />}
      badge={(intent) => <Badge intent={intent} />}
      actions={(intent) => <Actions intent={intent} />}
      aside={(intent) => <PaymentFacts intent={intent} />}
    >
      {(intent) => (
        <>
          <Bought intent={intent} />
          <WhatHappened intent={intent} />
          <RefundsOf of={{ paymentIntentId: intent.id }} />
          <NotesSection about={{ paymentIntentId: intent.id }} />
        </>
      )}
    </DetailScreen>
  );
}

const amountsOf = ({ expectedAmountCents, amountReceivedCents, status }: PaymentIntent) => ({
  expected: expectedAmountCents,
  received: amountReceivedCents,
  isPaid: status === 'succeeded',
});

function Badge({ intent: { id, status, amountReceivedCents } }: { intent: PaymentIntent }) {
  const { data: refunds } = useRefundsOf({ paymentIntentId: id });
  const refunded = refundState(amountReceivedCents, refundedCents(refunds));
  return (
    <>
      <Status of={status ?? 'pending'} /> {refunded && <Status of={refunded} />}
    </>
  );
}

/** Line with the customer and the purchase. */
function Paid({ intent: { id, orderId } }: { intent: PaymentIntent }) {
  const session = useCheckoutOf(id);
  const who =
    session?.customerId != null ? <CustomerLink id={session.customerId} /> : session && buyerText(session);
  return <Dotted of={[who, session && linesText(session.lineItems), orderId]} />;
}

function Bought({ intent }: { intent: PaymentIntent }) {
  const session = useCheckoutOf(intent.id);
  if (!session) return null;
  return (
    <Section title={t('Summary')}>
      <Lines of={session.lineItems} />
      <Totals
        of={[
          ...discountFacts(session),
          ...taxFacts(session.taxes),
          [t('Total'), <Money key="t" cents={session.amountCents} />],
        ]}
      />
    </Section>
  );
}

function WhatHappened({ intent }: { intent: PaymentIntent }) {
  const { data, error, refetch } = useHistory(intent);
  return (
    <Section title={t('Timeline')}>
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : data ? (
        <PaymentTimeline intent={intent} history={data} />
      ) : (
        <Loading />
      )}
    </Section>
  );
}

const OPEN = ['pending', 'processing', 'underpaid'];

/** Its order was canceled, or what came is being refunded: it cannot be paid although it is not too late. */
function isClosed({ paymentUrl, expiresAt }: PaymentIntent, now: Date): boolean {
  return paymentUrl === null && new Date(expiresAt).getTime() + PAYABLE_AFTER_MS > now.getTime();
}

const PAYABLE_AFTER_MS = 30 * 86_400_000;

function Actions({ intent }: { intent: PaymentIntent }) {
  const can = useCan();
  const now = useNow();
  const { data: refunds } = useRefundsOf({ paymentIntentId: intent.id });
  const status = intent.status ?? 'pending';
  const left = BigInt(intent.amountReceivedCents) - refundedCents(refunds);
  return (
    <>
      {OPEN.includes(status) && (
        <Button
          component="a"
          href={`/intents/${intent.id}`}
          target="_blank"
          rel="noreferrer"
          size="xs"
          variant="default"
          rightSection={<Icon name="external" size={14} />}
        >
          {t('View payment page')}
        </Button>
      )}
      {status === 'underpaid' && !isClosed(intent, now) && (
        <UnderpaidActions
          of={{ kind: 'payment', id: intent.id }}
          isPayable={intent.paymentUrl !== null}
          paidCents={intent.amountReceivedCents}
          missingCents={BigInt(intent.expectedAmountCents) - BigInt(intent.amountReceivedCents)}
        />
      )}
      {can.playSandbox && OPEN.includes(status) && <TestPayment intent={intent} />}
      {/* A link that is shown once outlives the button that asked for it. */}
      <RefundButton of={{ kind: 'payment', id: intent.id }} isOffered={left > 0n} />
      {can.change && status === 'pending' && (
        <ActionDialogButton
          label={t('Cancel payment')}
          submit={t('Cancel payment')}
          isDangerous
          explanation={t('It can no longer be paid. Money that still arrives is listed under Exceptions.')}
          action={{
            run: () => florin.intents.cancel(intent.id),
            done: t('Payment canceled.'),
            refresh: ['intents', 'stats'],
          }}
        />
      )}
    </>
  );
}

/** Test money on the sandbox's own chain. */
function TestPayment({ intent }: { intent: PaymentIntent }) {
  const due = BigInt(intent.expectedAmountCents) - BigInt(intent.amountReceivedCents);
  return (
    <ActionDialogButton
      label={t('Pay with test money')}
      submit={t('Pay')}
      explanation={
        <>
          {t(
            'The sandbox pays this from a test wallet on its own chain. The payment is detected within seconds.',
          )}{' '}
          <Anchor href="/docs" size="sm">
            {t('You can also do this with the API.')}
          </Anchor>
        </>
      }
      action={{
        run: (given) =>
          florin.sandbox.pay({
            paymentIntentId: intent.id,
            outcome: given.text('outcome') as 'pay',
            amountCents: given.money('amount', t('Amount')),
          }),
        done: t('Test payment sent.'),
      }}
    >
      <TextInput
        label={t('Amount in USDC')}
        name="amount"
        inputMode="decimal"
        defaultValue={moneyText(due > 0n ? due : 1n)}
        required
      />
      <NativeSelect
        label={t('Outcome')}
        name="outcome"
        data={[
          { value: 'pay', label: t('Payment arrives') },
          { value: 'no_reference', label: t('Payment arrives without a reference') },
          { value: 'wrong_mint', label: t('Wrong token arrives') },
          { value: 'fail', label: t('Transaction fails') },
        ]}
      />
    </ActionDialogButton>
  );
}
