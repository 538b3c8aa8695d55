import type { Invoice } from '@florin/sdk';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { Status, words } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

export function InvoiceStatus({ invoice }: { invoice: Invoice }) {
  const { status, isOverdue, amountPaidCents } = invoice;
  if (status !== 'open') return <Status of={status} />;
  return <Status of={isOverdue ? 'overdue' : BigInt(amountPaidCents) > 0n ? 'underpaid' : status} />;
}

const REASONS: Record<Invoice['billingReason'], string> = {
  one_time: 'One-time',
  balance_top_up: 'Credits',
  subscription_create: 'First payment',
  subscription_cycle: 'Renewal',
  subscription_change: 'Plan change',
  manual: 'Invoice',
};

export const reasonText = ({ billingReason }: Invoice) => REASONS[billingReason] ?? words(billingReason);

/** For the lists on customer and subscription screens. */
export const INVOICE_COLUMNS: readonly Column<Invoice>[] = [
  { title: 'Number', cell: ({ number }) => number ?? 'Draft' },
  { title: 'Status', cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { title: 'Total', cell: ({ totalCents }) => <Money cents={totalCents} />, align: 'right' },
  { title: 'Type', cell: reasonText, wideOnly: true },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
