import type { Language } from '../../../platform/lib/language.ts';
import type { RefundEmailKind } from '../../email.ts';
import type { EmailText } from '../messages.ts';

/** Values that a text about a refund may contain, formatted for people. */
export interface FormattedRefund {
  sender: string;
  /** The refund's. */
  number: string;
  amount: string;
  expiresAt: string;
}

export interface RefundMessages {
  language: Language;
  emails: Record<RefundEmailKind, (refund: FormattedRefund) => EmailText>;
  labels: Record<'refund' | 'amount' | 'address' | 'sentAt' | 'creditNote' | 'transaction', string>;
}
