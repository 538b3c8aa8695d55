import type { CheckoutSession } from '@florin/sdk';
import { buyerText, linesText } from '../billing/checkout-of.ts';
import { Lead, WithBelow } from '../parts/lead.tsx';
import type { Column } from '../parts/list-table.tsx';
import { Money } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { SessionStatus } from './session-status.tsx';

/** Columns with the buyer and the purchase. */
export const SESSION_COLUMNS: readonly Column<CheckoutSession>[] = [
  {
    title: t('Customer'),
    cell: (session) => (
      <Lead who={buyerText(session) ?? t('Anonymous')} what={linesText(session.lineItems)} />
    ),
    share: '40%',
  },
  {
    title: t('For'),
    cell: ({ lineItems, merchantReference }) => (
      <WithBelow below={merchantReference}>{linesText(lineItems) ?? '–'}</WithBelow>
    ),
    wideOnly: true,
  },
  { title: t('Amount'), cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
  { title: t('Status'), cell: (session) => <SessionStatus session={session} /> },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
