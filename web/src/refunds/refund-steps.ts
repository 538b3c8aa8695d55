import type { Refund } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { momentText } from '../parts/time.tsx';
import type { Step } from '../parts/timeline.tsx';
import { t } from '../words/t.ts';

/** Returns the events of a refund in their order, and then what it waits for. */
export function stepsOf(refund: Refund): Step[] {
  const { createdAt, addressApprovedAt, canceledAt, succeededAt, status } = refund;
  const past: Step[] = [
    {
      at: createdAt,
      title: t('Refund of {amount} USDC created', { amount: moneyText(refund.amountCents) }),
    },
  ];
  if (addressApprovedAt)
    past.push({
      at: addressApprovedAt,
      title:
        refund.addressSource === 'payer' ? t('Confirmed by the wallet that paid') : t('Address approved'),
    });
  if (canceledAt) past.push({ at: canceledAt, title: t('Canceled') });
  if (status === 'expired') past.push({ at: refund.expiresAt, title: t('Expired') });
  if (succeededAt)
    past.push({
      at: succeededAt,
      title: t('Refunded'),
      text: t('{amount} USDC arrived at the address.', { amount: moneyText(refund.amountSentCents) }),
    });
  past.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  return [...past, ...ahead(refund)];
}

function ahead({ status, address, amountSentCents, amountCents, expiresAt }: Refund): Step[] {
  const until = t('Until {time}.', { time: momentText(expiresAt) });
  switch (status) {
    case 'awaiting_address':
      return [
        address === null
          ? { isAhead: true, title: t('Waiting for an address'), text: until }
          : { isAhead: true, title: t('Waiting for you to approve the address'), text: until },
      ];
    case 'ready': {
      const left = BigInt(amountCents) - BigInt(amountSentCents);
      return [
        {
          isAhead: true,
          title: t('Waiting for your wallet to send {amount} USDC', { amount: moneyText(left) }),
          text: until,
        },
      ];
    }
    case 'processing':
      return [{ isAhead: true, title: t('Refund detected'), text: t('Confirmed a few seconds later.') }];
    default:
      return [];
  }
}
