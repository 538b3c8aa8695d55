import type { PaymentIntent } from '@florin/sdk';
import { Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { madeAt } from '../parts/is-id.ts';
import { moneyText } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';

interface Step {
  title: string;
  text?: ReactNode;
}

/** What has been, as far as the payment itself tells. */
export function PaymentTimeline({ intent }: { intent: PaymentIntent }) {
  const steps = stepsOf(intent);
  return (
    <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2}>
      {steps.map(({ title, text }) => (
        <Timeline.Item key={title} title={title}>
          {text}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function stepsOf(intent: PaymentIntent): Step[] {
  const expected = BigInt(intent.expectedAmountCents);
  const received = BigInt(intent.amountReceivedCents);
  const steps: Step[] = [
    { title: `${moneyText(expected)} USDC were asked for`, text: <Time at={madeAt(intent.id)} /> },
  ];
  if (received > 0n) steps.push({ title: `${moneyText(received)} USDC arrived` });
  const last = ENDS[intent.status ?? 'pending'](intent, expected - received);
  if (last) steps.push(last);
  return steps;
}

type Status = NonNullable<PaymentIntent['status']>;

const ENDS: Record<Status, (intent: PaymentIntent, missing: bigint) => Step> = {
  pending: ({ expiresAt }) => ({
    title: 'Waiting for the payer',
    text: (
      <>
        until <Time at={expiresAt} />
      </>
    ),
  }),
  processing: () => ({ title: 'Seen on chain', text: 'Not final yet: this takes some seconds.' }),
  underpaid: (_intent, missing) => ({
    title: `${moneyText(missing)} USDC are missing`,
    text: 'The payer can still send the rest, to the same address.',
  }),
  succeeded: () => ({ title: 'Paid', text: 'The money is in your own wallet.' }),
  failed: () => ({ title: 'Failed', text: 'The transaction was seen, and did not become final.' }),
  expired: ({ expiresAt }) => ({ title: 'Expired', text: <Time at={expiresAt} /> }),
  canceled: () => ({ title: 'Canceled' }),
};
