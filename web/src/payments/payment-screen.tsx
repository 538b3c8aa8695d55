import type { PaymentIntent } from '@florin/sdk';
import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { madeAt } from '../parts/is-id.ts';
import { Money, moneyText, parseMoney } from '../parts/money.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { PaymentTimeline } from './payment-timeline.tsx';

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
              ['Asked for', <Money key="a" cents={intent.expectedAmountCents} />],
              ['Received', <Money key="m" cents={intent.amountReceivedCents} />],
              ['Order', intent.orderId],
              ['Created', <Time key="c" at={madeAt(intent.id)} />],
              ['Expires', <Time key="e" at={intent.expiresAt} />],
              ['Payment id', <Copyable key="i" text={intent.id} label="payment id" />],
            ]}
          />
          <Section title="What happened">
            <PaymentTimeline intent={intent} />
          </Section>
          <Section title="On chain">
            <Facts of={chainFacts(intent)} />
          </Section>
        </>
      )}
    </DetailScreen>
  );
}

function chainFacts({ destinationAddress, referenceAddress }: PaymentIntent) {
  return [
    [
      'Paid to',
      destinationAddress && (
        <OnChain key="d" kind="address" text={destinationAddress} label="payout address" />
      ),
    ],
    // Every transaction that pays it names this account, so an explorer lists them under it.
    [
      'Named by',
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
          What the payer sees
        </Button>
      )}
      {can.playSandbox && OPEN.includes(status) && <TestPayment intent={intent} />}
      {can.change && status === 'pending' && (
        <ActionDialogButton
          label="Cancel payment"
          submit="Cancel it"
          isDangerous
          explanation="Nobody can pay it any more. Money that still arrives is listed under Exceptions."
          action={{
            run: () => florin.intents.cancel(intent.id),
            done: 'The payment is canceled.',
            refresh: ['intents', 'stats'],
          }}
        />
      )}
    </>
  );
}

/** Real money of no worth on the sandbox's own chain. */
function TestPayment({ intent }: { intent: PaymentIntent }) {
  const due = BigInt(intent.expectedAmountCents) - BigInt(intent.amountReceivedCents);
  return (
    <ActionDialogButton
      label="Pay with test money"
      submit="Pay"
      explanation={
        <>
          The sandbox pays this from a test wallet, on a chain of its own. It is seen within seconds.{' '}
          <Anchor href="/docs" size="sm">
            The API can do this too.
          </Anchor>
        </>
      }
      action={{
        run: (given) =>
          florin.sandbox.pay({
            paymentIntentId: intent.id,
            outcome: given.text('outcome') as 'pay',
            amountCents: parseMoney(given.text('amount')),
          }),
        done: 'The test payment is on its way.',
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
        label="How it goes"
        name="outcome"
        data={[
          { value: 'pay', label: 'It arrives' },
          { value: 'no_reference', label: 'It arrives without saying what for' },
          { value: 'wrong_mint', label: 'Another token arrives' },
          { value: 'fail', label: 'The transaction fails' },
        ]}
      />
    </ActionDialogButton>
  );
}
