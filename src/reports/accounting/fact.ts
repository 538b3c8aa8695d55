import type { CounterAccount } from '../../billing/ledger/posting.ts';
import type { ExceptionKind } from '../../payments/transfers/exception.ts';

export interface BooksPeriod {
  merchantId: string;
  /** Null: all projects, and what belongs to none. */
  projectId: string | null;
  from: Date;
  /** End of the period, which is not in it any more. */
  to: Date;
  /** The merchant's, whose days the files show. */
  timeZone: string;
}

/** Whole cents as text, because JSON has no number that is large enough. */
type CentsText = string;

/** Subject of a fact, which decides the accounts it moves. */
type Matter =
  /** Money arrived, for an intent or listed as an exception. */
  | { kind: 'receipt'; amounts: { cents: CentsText } }
  | { kind: 'invoice'; amounts: InvoiceAmounts }
  /** An intent without an invoice succeeded. */
  | { kind: 'sale'; amounts: { cents: CentsText; waived: CentsText } }
  | { kind: 'credit'; amounts: CreditAmounts }
  | { kind: 'refund'; amounts: { cents: CentsText } }
  | { kind: 'credit_note'; amounts: { intentId: string | null; cents: CentsText } }
  /** A person kept money, or sent it back without a refund; of what was sent beyond one, the customer did. */
  | { kind: 'decision'; amounts: DecisionAmounts };

interface InvoiceAmounts {
  total: CentsText;
  tax: CentsText;
  tip: CentsText;
  waived: CentsText;
  waivedTax: CentsText;
  creditApplied: CentsText;
}

interface DecisionAmounts {
  cents: CentsText;
  end: 'kept' | 'returned';
  of: ExceptionKind;
  /** The part of what paid an order a second time that was more than its price, and so was never a sale. */
  beyond: CentsText;
}

interface CreditAmounts {
  cents: CentsText;
  counter: CounterAccount;
  /** Kind of the exception whose money was credited, if a person did that. */
  of: ExceptionKind | null;
  /** As of a decision. */
  beyond: CentsText;
  reason: string | null;
}

export type FactKind = Matter['kind'];

/** Something that changed what the merchant has, owes or earned, read from the row that recorded it. */
export type Fact = Matter & {
  at: Date;
  /** The same whenever it is read. */
  id: string;
  projectId: string | null;
  customerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  document: string | null;
  signature: string | null;
};
