import type { PaymentIntent, PaymentIntentHistory } from '@florin/sdk';
import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { RefundButton } from '../refunds/refund-button.tsx';
import { RefundsOf } from '../refunds/refund-columns.tsx';
import { PaymentTimeline, useHistory } from './payment-timeline.tsx';

export default function PaymentScreen() {
  return (
    <DetailScreen
      name="intents"
      load={(id) => florin.intents.retrieve(id)}
      back={{ to: '/payments', label: 'Payments' }}
      title={({ expectedAmountCents }) => `${moneyText(expectedAmountCents)} USDC`}
      badge={({ status }) => <Status of={status ?? 'pending'} />}
      actions={(intent) => <Actions intent={intent} />}
    >
      {(intent) => (
        <>
          <Facts
            of={[
              ['Requested', <Money key="a" cents={intent.expectedAmountCents} />],
              ['Received', <Money key="m" cents={intent.amountReceivedCents} />],
              ['Order', intent.orderId],
              ['Created', <Time key="c" at={intent.createdAt} />],
              ['Expires', <Time key="e" at={intent.expiresAt} />],
              ['Checkout', <CheckoutOf key="s" id={intent.id} />],
              ['Payment ID', <Copyable key="i" text={intent.id} label="payment ID" />],
            ]}
          />
          <WhatHappened intent={intent} />
          <RefundsOf of={{ paymentIntentId: intent.id }} />
          <MetadataSection
            metadata={intent.metadata}
            save={(metadata) => florin.intents.update(intent.id, { metadata })}
            refresh={['intents']}
          />
        </>
      )}
    </DetailScreen>
  );
}

/** The checkout that requested it; none for the API or a terminal. */
function CheckoutOf({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['checkout-sessions', 'of', id],
    queryFn: async () => (await florin.checkoutSessions.list({ paymentIntentId: id, limit: 1 })).data,
  });
  const session = data?.[0];
  if (!session) return data ? 'None' : '…';
  return (
    <Anchor component={Link} to={`/checkout-sessions/${session.id}`} size="sm">
      {session.customerEmail ?? session.customerName ?? 'View checkout'}
    </Anchor>
  );
}

function WhatHappened({ intent }: { intent: PaymentIntent }) {
  const { data, error, refetch } = useHistory(intent);
  if (error) return <Failed error={error} retry={refetch} />;
  if (!data) return <Loading />;
  return (
    <>
      <Section title="Timeline">
        <PaymentTimeline intent={intent} history={data} />
      </Section>
      <Section title="On chain">
        <Facts of={[...chainFacts(intent), ...transactionFacts(data)]} />
      </Section>
    </>
  );
}

/** Each transaction that paid toward it, where everybody can look it up. */
function transactionFacts({ transactions }: PaymentIntentHistory) {
  return transactions.map(
    ({ txSignature, amountCents, isFinal }, at) =>
      [
        transactions.length === 1 ? 'Transaction' : `Transaction ${at + 1}`,
        <span key={txSignature}>
          <OnChain kind="tx" text={txSignature} label="transaction" /> <Money cents={amountCents} />
          {!isFinal && ', not final yet'}
        </span>,
      ] as const,
  );
}

const VIAS: Record<NonNullable<PaymentIntent['paidVia']>, string> = {
  wallet: 'Wallet on the payment page',
  transfer: 'Transfer',
  x402: 'Program (x402)',
  mpp: 'Program (MPP)',
};

function chainFacts({ destinationAddress, referenceAddress, paidVia, payerAddress }: PaymentIntent) {
  return [
    ['Paid via', paidVia && VIAS[paidVia]],
    ['Paid from', payerAddress && <OnChain key="p" kind="address" text={payerAddress} label="wallet" />],
    [
      'Paid to',
      destinationAddress && (
        <OnChain key="d" kind="address" text={destinationAddress} label="payout address" />
      ),
    ],
    [
      'Reference',
      referenceAddress && <OnChain key="r" kind="address" text={referenceAddress} label="reference" />,
    ],
  ] as const;
}

const OPEN = ['pending', 'processing', 'underpaid'];

function Actions({ intent }: { intent: PaymentIntent }) {
  const can = useCan();
  const status = intent.status ?? 'pending';
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
          View payment page
        </Button>
      )}
      {can.playSandbox && OPEN.includes(status) && <TestPayment intent={intent} />}
      {BigInt(intent.amountReceivedCents) > 0n && <RefundButton of={{ kind: 'payment', id: intent.id }} />}
      {can.change && status === 'pending' && (
        <ActionDialogButton
          label="Cancel payment"
          submit="Cancel payment"
          isDangerous
          explanation="It can no longer be paid. Money that still arrives is listed under Exceptions."
          action={{
            run: () => florin.intents.cancel(intent.id),
            done: 'Payment canceled.',
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
      label="Pay with test money"
      submit="Pay"
      explanation={
        <>
          The sandbox pays this from a test wallet on its own chain. The payment is detected within seconds.{' '}
          <Anchor href="/docs" size="sm">
            You can also do this with the API.
          </Anchor>
        </>
      }
      action={{
        run: (given) =>
          florin.sandbox.pay({
            paymentIntentId: intent.id,
            outcome: given.text('outcome') as 'pay',
            amountCents: given.money('amount', 'Amount'),
          }),
        done: 'Test payment sent.',
      }}
    >
      <TextInput
        label="Amount in USDC"
        name="amount"
        inputMode="decimal"
        defaultValue={moneyText(due > 0n ? due : 1n)}
        required
      />
      <NativeSelect
        label="Outcome"
        name="outcome"
        data={[
          { value: 'pay', label: 'Payment arrives' },
          { value: 'no_reference', label: 'Payment arrives without a reference' },
          { value: 'wrong_mint', label: 'Wrong token arrives' },
          { value: 'fail', label: 'Transaction fails' },
        ]}
      />
    </ActionDialogButton>
  );
}
