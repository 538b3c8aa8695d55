import type { Language } from '../../platform/lib/language.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import type { AccountCode, ExceptionName } from './messages/report-messages.ts';

/** Contents of a monthly report, as plain data. Texts may come from anyone. */
export interface ReportDocument extends Pick<InvoiceDocument, 'brandColor' | 'logo' | 'network'> {
  language: Language;
  issuer: string | null;
  /** Null: all of them. */
  projectName: string | null;
  /** Its first day, as YYYY-MM-DD. */
  firstDay: string;
  timeZone: string;
  issuedAt: Date;
  /** The same as a day in the time zone. */
  issuedOn: string;
  isOver: boolean;
  revenue: DayFigures & { refundsCount: bigint };
  days: (DayFigures & { date: string })[];
  taxes: {
    country: string | null;
    category: string | null;
    percent: number | null;
    netCents: bigint;
    taxCents: bigint;
    grossCents: bigint;
  }[];
  accounts: { code: AccountCode; debitCents: bigint; creditCents: bigint }[];
  subscribers: {
    atStartCount: bigint;
    newCount: bigint;
    lostCount: bigint;
    atEndCount: bigint;
    monthlyRecurringCents: bigint;
  };
  topProducts: { name: string; count: bigint; cents: bigint }[];
  topCustomers: { name: string; count: bigint; cents: bigint }[];
  openInvoices: {
    count: bigint;
    cents: bigint;
    invoices: { number: string; customer: string; dueAt: Date | null; cents: bigint }[];
  };
  exceptions: {
    kind: ExceptionName;
    raisedCount: bigint;
    raisedCents: bigint | null;
    openCount: bigint;
    openCents: bigint | null;
  }[];
  sponsoredFees: { count: bigint; lamports: bigint };
}

export interface DayFigures {
  grossCents: bigint;
  refundedCents: bigint;
  netCents: bigint;
  paymentsCount: bigint;
}
