import type { CheckoutSession } from '@florin/sdk';
import { linesText } from '../billing/checkout-of.ts';
import type { Column } from '../parts/list-table.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

/** What was bought, for the screens that say by whom. */
export const PURCHASES: readonly Column<CheckoutSession>[] = [
  { title: t('For'), cell: ({ lineItems }) => linesText(lineItems) ?? '–' },
  { title: t('Amount'), cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
  { title: t('Status'), cell: ({ paymentStatus }) => <Status of={paymentStatus} /> },
  { title: t('Date'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
