import type { Int64, Invoice, Refund } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import type { Step } from '../parts/timeline.tsx';
import { refundSteps } from '../refunds/refunds-of.ts';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';

/** Returns the events of an invoice in their order, and then what it waits for. */
export function stepsOf(invoice: Invoice, refunds: readonly Refund[] | undefined): Step[] {
  const { createdAt, openedAt, sentAt, paidAt, status } = invoice;
  const past: Step[] = [];
  if (openedAt !== createdAt) past.push({ at: createdAt, title: t('Draft created') });
  if (openedAt)
    past.push({
      at: openedAt,
      title: t('Opened for {amount} USDC', { amount: moneyText(invoice.totalCents) }),
    });
  if (sentAt) past.push({ at: sentAt, title: t('Sent by e-mail') });
  if (paidAt) past.push({ at: paidAt, title: t('Paid'), text: paidText(invoice) });
  past.push(...refundSteps(refunds));
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  if (status === 'void') past.push({ title: t('Voided'), text: t('Nothing is due.') });
  if (status === 'uncollectible')
    past.push({ title: t('Uncollectible'), text: t('It was not paid in time.') });
  if (status !== 'open') return past;
  return [...past, { isAhead: true, title: t('Waiting for payment'), text: <Waiting of={invoice} /> }];
}

function paidText({ amountPaidCents, waivedCents }: Invoice): string {
  const paid = BigInt(amountPaidCents) === 0n ? t('Nothing was due.') : arrivedText(amountPaidCents);
  if (BigInt(waivedCents) === 0n) return paid;
  return `${paid} ${t('{amount} USDC was waived.', { amount: moneyText(waivedCents) })}`;
}

const arrivedText = (cents: Int64) => t('{amount} USDC arrived.', { amount: moneyText(cents) });

function Waiting({ of: { amountPaidCents, amountDueCents, dueAt } }: { of: Invoice }) {
  const amount = moneyText(amountDueCents);
  return (
    <>
      {BigInt(amountPaidCents) > 0n && `${arrivedText(amountPaidCents)} `}
      {dueAt ? (
        <T of="{amount} USDC due by {time}" amount={amount} time={<Time at={dueAt} />} />
      ) : (
        t('{amount} USDC due', { amount })
      )}
    </>
  );
}
