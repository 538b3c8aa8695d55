import type { Language } from '../../platform/lib/language.ts';
import type { EmailKind } from '../email.ts';

/** Values that a text may contain, formatted for people. */
export interface FormattedFacts {
  /** The seller from the customer's point of view. */
  sender: string;
  /** The invoice's. */
  number: string;
  due: string;
  dueAt: string | null;
  endsAt: string | null;
  /** Its due date has passed. */
  isOverdue: boolean;
}

export interface EmailText {
  /** Follows the sender's name. */
  subject: string;
  paragraphs: string[];
  /** Label of the link; absent when there is nothing to pay. */
  action?: string;
}

/** One language: a file next to this one, listed in languages.ts. */
export interface Messages {
  language: Language;
  greeting(name: string | null): string;
  emails: Record<EmailKind, (formatted: FormattedFacts) => EmailText>;
  labels: Record<
    | 'invoice'
    | 'discount'
    | 'credit'
    | 'total'
    | 'included'
    | 'reverseCharge'
    | 'waived'
    | 'stillDue'
    | 'dueAt'
    | 'paidAt'
    | 'transaction',
    string
  >;
  /** A link to the customer's portal. */
  account: string;
  closing(sender: string): string;
}
