import type { CheckoutSessionLine } from '@florin/sdk';
import { numberText } from '../billing/price-text.ts';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { t } from '../words/t.ts';

/** Columns for the lines of an invoice, or of what it is made from: a checkout, a plan change. */
export const LINE_COLUMNS: readonly Column<CheckoutSessionLine>[] = [
  { title: t('Description'), cell: ({ description }) => description },
  { title: t('Quantity'), cell: ({ quantity }) => numberText(quantity), align: 'right', wideOnly: true },
  {
    title: t('Unit price'),
    cell: ({ unitAmountCents }) => <Money cents={unitAmountCents} />,
    align: 'right',
    wideOnly: true,
  },
  { title: t('Amount'), cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
];
