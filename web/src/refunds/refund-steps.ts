import type { Refund } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { momentText } from '../parts/time.tsx';
import type { Step } from '../parts/timeline.tsx';

/** What came, in its order, and what the refund waits for. */
export function stepsOf(refund: Refund): Step[] {
  const { createdAt, addressApprovedAt, canceledAt, succeededAt, status } = refund;
  const past: Step[] = [{ at: createdAt, title: `Refund of ${moneyText(refund.amountCents)} USDC created` }];
  if (addressApprovedAt)
    past.push({
      at: addressApprovedAt,
      title: refund.addressSource === 'payer' ? 'Confirmed by the wallet that paid' : 'Address approved',
    });
  if (canceledAt) past.push({ at: canceledAt, title: 'Canceled' });
  if (status === 'expired') past.push({ at: refund.expiresAt, title: 'Expired' });
  if (succeededAt)
    past.push({
      at: succeededAt,
      title: 'Refunded',
      text: `${moneyText(refund.amountSentCents)} USDC arrived at the address.`,
    });
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  return [...past, ...ahead(refund)];
}

function ahead({ status, address, amountSentCents, amountCents, expiresAt }: Refund): Step[] {
  const until = `Until ${momentText(expiresAt)}.`;
  switch (status) {
    case 'awaiting_address':
      return [
        address === null
          ? { isAhead: true, title: 'Waiting for an address', text: until }
          : { isAhead: true, title: 'Waiting for you to approve the address', text: until },
      ];
    case 'ready': {
      const left = BigInt(amountCents) - BigInt(amountSentCents);
      return [
        { isAhead: true, title: `Waiting for your wallet to send ${moneyText(left)} USDC`, text: until },
      ];
    }
    case 'processing':
      return [{ isAhead: true, title: 'Refund detected', text: 'Confirmed a few seconds later.' }];
    default:
      return [];
  }
}
