import type { PaymentIntent, PaymentIntentHistory } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { amountText } from '../exceptions/amount.tsx';
import { moneyText } from '../parts/money.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { type Step, Timeline } from '../parts/timeline.tsx';
import { refundSteps, useRefundsOf } from '../refunds/refunds-of.ts';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';

export function useHistory(intent: PaymentIntent | undefined) {
  return useQuery({
    // Its state belongs to the key: the two are never of different moments.
    queryKey: ['intents', 'history', intent?.id, intent?.status, String(intent?.amountReceivedCents)],
    queryFn: () => florin.intents.history(intent!.id),
    enabled: intent !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** The timeline of the payment behind another object. */
export function TimelineOfPayment({ id }: { id: string }) {
  const intent = useQuery({ queryKey: ['intents', 'one', id], queryFn: () => florin.intents.retrieve(id) });
  const history = useHistory(intent.data);
  const error = intent.error ?? history.error;
  if (error) return <Failed error={error} retry={() => Promise.all([intent.refetch(), history.refetch()])} />;
  if (!intent.data || !history.data) return <Loading />;
  return <PaymentTimeline intent={intent.data} history={history.data} />;
}

type Entry = PaymentIntentHistory['entries'][number];
type Exception = PaymentIntentHistory['exceptions'][number];

/** Each change with its moment, what was left over, what was sent back, and what may come. */
export function PaymentTimeline({
  intent,
  history,
}: {
  intent: PaymentIntent;
  history: PaymentIntentHistory;
}) {
  const { data: refunds } = useRefundsOf({ paymentIntentId: intent.id });
  const past = [
    ...history.entries.map((entry) => changeOf(entry, intent)),
    ...history.exceptions.map(exceptionOf),
    ...refundSteps(refunds),
  ];
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  return <Timeline steps={[...past, ...ahead(intent)]} />;
}

function changeOf(
  { at, event, status, amountReceivedCents, failureReason }: Entry,
  intent: PaymentIntent,
): Step {
  const expected = BigInt(intent.expectedAmountCents);
  const received = BigInt(amountReceivedCents);
  if (event === null)
    return { at, title: t('Payment of {amount} USDC requested', { amount: moneyText(expected) }) };
  switch (status) {
    case 'pending':
      return { at, title: t('Payment dropped'), text: t('The network did not keep the transaction.') };
    case 'processing':
      return { at, title: t('Payment detected'), text: t('Confirmed a few seconds later.') };
    case 'underpaid':
      return {
        at,
        title: t('{received} of {expected} USDC arrived', {
          received: moneyText(received),
          expected: moneyText(expected),
        }),
      };
    case 'succeeded':
      return {
        at,
        title: received < expected ? t('Accepted as paid') : t('Paid'),
        text: [
          t('{amount} USDC arrived in your wallet.', { amount: moneyText(received) }),
          ...(received < expected
            ? [t('{amount} USDC was waived.', { amount: moneyText(intent.waivedCents) })]
            : []),
        ].join(' '),
      };
    case 'failed':
      return {
        at,
        title: FAILURES[failureReason ?? 'unknown'],
        text: t('The customer can try again until the payment expires.'),
      };
    case 'expired':
      return { at, title: t('Expired'), text: t('Late payments are accepted for 30 days.') };
    case 'canceled':
      return { at, title: t('Canceled') };
  }
}

function exceptionOf(exception: Exception): Step {
  const { createdAt, kind, status, txSignature } = exception;
  return {
    at: createdAt,
    title: exceptionText(status, amountText(exception), REASONS[kind]),
    text: (
      <Anchor component={Link} to={`/exceptions?txSignature=${txSignature}`} size="sm">
        {status === 'open' ? t('Review') : words(status)}
      </Anchor>
    ),
  };
}

function exceptionText(status: Exception['status'], amount: string, reason: string): string {
  if (status === 'dust') return t('Less than a cent: {reason}', { reason });
  return status === 'open'
    ? t('{amount} to review: {reason}', { amount, reason })
    : t('{amount} reviewed: {reason}', { amount, reason });
}

/** An attempt that brought no USDC. Only one that failed on chain moved no money. */
const FAILURES: Record<NonNullable<Entry['failureReason']> | 'unknown', string> = {
  failed_on_chain: t('A transaction failed'),
  other_token: t('A payment in another token arrived'),
  elsewhere: t('A transaction paid another account'),
  unknown: t('An attempt brought no USDC'),
};

/** Reasons as written after a colon. */
const REASONS: Record<Exception['kind'], string> = {
  unmatched: t('no matching order'),
  ambiguous: t('several matching orders'),
  wrong_mint: t('not USDC'),
  canceled: t('paid after cancellation'),
  late: t('paid too late'),
  surplus: t('overpaid'),
  duplicate_order: t('paid twice'),
  stray: t('paid after checkout closed'),
  over_refunded: t('refunded too much'),
};

/** Returns the steps that are still expected. */
function ahead({ status, expectedAmountCents, amountReceivedCents, expiresAt }: PaymentIntent): Step[] {
  if (status === 'pending' || status === 'failed') {
    return [
      {
        isAhead: true,
        title: t('Waiting for payment'),
        text: <T of="until {time}" time={<Time at={expiresAt} />} />,
      },
    ];
  }
  if (status === 'underpaid') {
    const missing = BigInt(expectedAmountCents) - BigInt(amountReceivedCents);
    return [
      {
        isAhead: true,
        title: t('{amount} USDC still due', { amount: moneyText(missing) }),
        text: t('The customer can still send the rest to the same address.'),
      },
    ];
  }
  return [];
}
