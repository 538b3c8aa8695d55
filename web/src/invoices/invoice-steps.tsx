import type { Invoice } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import type { Step } from '../parts/timeline.tsx';

/** What came, in its order, and what the invoice waits for. */
export function stepsOf(invoice: Invoice): Step[] {
  const { createdAt, openedAt, sentAt, paidAt, status, amountPaidCents, refundedCents } = invoice;
  const past: Step[] = [];
  if (openedAt !== createdAt) past.push({ at: createdAt, title: 'Draft created' });
  if (openedAt) past.push({ at: openedAt, title: `Opened for ${moneyText(invoice.totalCents)} USDC` });
  if (sentAt) past.push({ at: sentAt, title: 'Sent by e-mail' });
  if (paidAt) past.push({ at: paidAt, title: 'Paid', text: paidText(invoice) });
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  if (status === 'void') past.push({ title: 'Voided', text: 'Nothing is due.' });
  if (status === 'uncollectible') past.push({ title: 'Uncollectible', text: 'It was not paid in time.' });
  if (BigInt(refundedCents) > 0n) past.push({ title: `${moneyText(refundedCents)} USDC refunded` });
  if (status !== 'open') return past;
  const part = BigInt(amountPaidCents) > 0n ? `${moneyText(amountPaidCents)} USDC arrived. ` : '';
  return [
    ...past,
    { isAhead: true, title: 'Waiting for payment', text: <Waiting part={part} of={invoice} /> },
  ];
}

function paidText({ amountPaidCents, waivedCents }: Invoice): string {
  const waived = BigInt(waivedCents) > 0n ? ` ${moneyText(waivedCents)} USDC was waived.` : '';
  return BigInt(amountPaidCents) === 0n
    ? `Nothing was due.${waived}`
    : `${moneyText(amountPaidCents)} USDC arrived.${waived}`;
}

function Waiting({ part, of: { amountDueCents, dueAt } }: { part: string; of: Invoice }) {
  return (
    <>
      {part}
      {moneyText(amountDueCents)} USDC due
      {dueAt && (
        <>
          {' '}
          by <Time at={dueAt} />
        </>
      )}
    </>
  );
}
