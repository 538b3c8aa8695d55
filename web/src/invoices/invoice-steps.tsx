import type { Invoice } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import type { Step } from '../parts/timeline.tsx';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';

/** What came, in its order, and what the invoice waits for. */
export function stepsOf(invoice: Invoice): Step[] {
  const { createdAt, openedAt, sentAt, paidAt, status, amountPaidCents, refundedCents } = invoice;
  const past: Step[] = [];
  if (openedAt !== createdAt) past.push({ at: createdAt, title: t('Draft created') });
  if (openedAt)
    past.push({
      at: openedAt,
      title: t('Opened for {totalAmount} USDC', { totalAmount: moneyText(invoice.totalCents) }),
    });
  if (sentAt) past.push({ at: sentAt, title: t('Sent by e-mail') });
  if (paidAt) past.push({ at: paidAt, title: t('Paid'), text: paidText(invoice) });
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  if (status === 'void') past.push({ title: t('Voided'), text: t('Nothing is due.') });
  if (status === 'uncollectible')
    past.push({ title: t('Uncollectible'), text: t('It was not paid in time.') });
  if (BigInt(refundedCents) > 0n)
    past.push({ title: t('{refundedAmount} USDC refunded', { refundedAmount: moneyText(refundedCents) }) });
  if (status !== 'open') return past;
  const part = BigInt(amountPaidCents) > 0n ? `${moneyText(amountPaidCents)} USDC arrived. ` : '';
  return [
    ...past,
    { isAhead: true, title: t('Waiting for payment'), text: <Waiting part={part} of={invoice} /> },
  ];
}

function paidText({ amountPaidCents, waivedCents }: Invoice): string {
  const waived = BigInt(waivedCents) > 0n ? ` ${moneyText(waivedCents)} USDC was waived.` : '';
  return BigInt(amountPaidCents) === 0n
    ? t('Nothing was due.{waived}', { waived })
    : t('{amountPaidAmount} USDC arrived.{waived}', { amountPaidAmount: moneyText(amountPaidCents), waived });
}

function Waiting({ part, of: { amountDueCents, dueAt } }: { part: string; of: Invoice }) {
  return (
    <>
      {part}
      {moneyText(amountDueCents)} USDC due
      {dueAt && (
        <>
          <T of=" by {time}" time={<Time at={dueAt} />} />
        </>
      )}
    </>
  );
}
