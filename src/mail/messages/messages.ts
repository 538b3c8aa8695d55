import type { LetterKind } from '../letter.ts';

/** What a text may name, ready to be read. */
export interface Told {
  /** Who the customer buys from. */
  sender: string;
  /** The invoice's. */
  number: string;
  due: string;
  dueAt: string | null;
  endsAt: string | null;
}

export interface LetterText {
  /** Stands after the sender's name. */
  subject: string;
  paragraphs: string[];
  /** What the link does; absent where there is nothing to pay. */
  action?: string;
}

/** One language: a file beside this one, listed in languages.ts. */
export interface Messages {
  /** As in BCP 47. */
  language: string;
  greeting(name: string | null): string;
  letters: Record<LetterKind, (told: Told) => LetterText>;
  labels: Record<'invoice' | 'credit' | 'total' | 'stillDue' | 'dueAt' | 'paidAt' | 'transaction', string>;
  closing(sender: string): string;
}
