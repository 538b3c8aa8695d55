import type { Invoice } from '@florin/sdk';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { Status, words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc } from '../words/t.ts';

export function InvoiceStatus({ invoice }: { invoice: Invoice }) {
  const { status, isOverdue, amountPaidCents } = invoice;
  if (status !== 'open') return <Status of={status} />;
  return <Status of={isOverdue ? 'overdue' : BigInt(amountPaidCents) > 0n ? 'underpaid' : status} />;
}

const REASONS: Record<Invoice['billingReason'], string> = {
  one_time: t('One-time'),
  balance_top_up: t('Credits'),
  subscription_create: t('First payment'),
  subscription_cycle: t('Renewal'),
  subscription_change: t('Plan change'),
  manual: t('Invoice'),
};

export const reasonText = ({ billingReason }: Invoice) => REASONS[billingReason] ?? words(billingReason);

/** Columns for the lists on customer and subscription screens. */
export const INVOICE_COLUMNS: readonly Column<Invoice>[] = [
  { title: t('Number'), cell: ({ number }) => number ?? tc('state', 'Draft') },
  { title: t('Status'), cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { title: t('Total'), cell: ({ totalCents }) => <Money cents={totalCents} />, align: 'right' },
  { title: t('Type'), cell: reasonText, wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
