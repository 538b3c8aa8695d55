import type { CheckoutSessionLine } from '@florin/sdk';
import { numberText } from '../billing/price-text.ts';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';

/** Of an invoice, or of what it is made from: a checkout, a plan change. */
export const LINE_COLUMNS: readonly Column<CheckoutSessionLine>[] = [
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Quantity', cell: ({ quantity }) => numberText(quantity), align: 'right', wideOnly: true },
  {
    title: 'Unit price',
    cell: ({ unitAmountCents }) => <Money cents={unitAmountCents} />,
    align: 'right',
    wideOnly: true,
  },
  { title: 'Amount', cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
];
