import type { Language } from '../../../platform/lib/language.ts';

export type AccountCode =
  | '1000'
  | '2000'
  | '2100'
  | '2200'
  | '4000'
  | '4100'
  | '4200'
  | '4800'
  | '4900'
  | '5000';
export type ExceptionName =
  | 'unmatched'
  | 'ambiguous'
  | 'wrong_mint'
  | 'canceled'
  | 'late'
  | 'surplus'
  | 'duplicate_order'
  | 'stray'
  | 'over_refunded';

/** The words of a monthly report in one language: a file in report/, listed in report-languages.ts. */
export interface ReportMessages {
  language: Language;
  title: string;
  badges: Record<'provisional' | 'test', string>;
  facts: Record<
    'month' | 'project' | 'allProjects' | 'timeZone' | 'createdAt' | 'currency' | 'dollars',
    string
  >;
  headline(net: string): string;
  sections: Record<
    'summary' | 'days' | 'taxes' | 'accounts' | 'products' | 'customers' | 'invoices' | 'exceptions',
    string
  >;
  summary: Record<
    | 'gross'
    | 'refunds'
    | 'net'
    | 'tax'
    | 'payments'
    | 'atStart'
    | 'begun'
    | 'lost'
    | 'atEnd'
    | 'recurring'
    | 'openInvoices'
    | 'openExceptions'
    | 'fees',
    string
  >;
  columns: Record<
    | 'figure'
    | 'count'
    | 'amount'
    | 'day'
    | 'payments'
    | 'gross'
    | 'refunds'
    | 'net'
    | 'rate'
    | 'tax'
    | 'account'
    | 'debit'
    | 'credit'
    | 'product'
    | 'sold'
    | 'sales'
    | 'customer'
    | 'invoice'
    | 'dueAt'
    | 'due'
    | 'reason'
    | 'raised'
    | 'open',
    string
  >;
  total: string;
  untaxed: string;
  /** Reasons for a rate of zero, by the category that electronic invoices have. */
  categories: Record<'Z' | 'E' | 'AE' | 'K' | 'G' | 'O', string>;
  accounts: Record<AccountCode, string>;
  exceptions: Record<ExceptionName, string>;
  noInvoices: string;
  noExceptions: string;
  moreInvoices(count: string): string;
  notes: Record<'basis' | 'sales' | 'provisional' | 'test', string>;
}
