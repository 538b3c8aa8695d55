/** Rights of AI assistants to an operation that takes a key: read with it, write with it, or not call it. */
export type Assistant = 'read' | 'write' | { write: WriteRules } | { withheld: string };

export interface WriteRules {
  /** Fields an assistant may not set. */
  refused?: readonly string[];
  /** Fields it may not set together with another one. */
  refusedWith?: Readonly<Record<string, readonly string[]>>;
  /** The name its Idempotency-Keys are stored under, where that is not its own. */
  storedAs?: string;
  /** Sentence for an assistant on what else the operation refuses it. */
  note?: string;
  /** Ends or removes something. */
  destructive?: boolean;
}

/** Why an operation is withheld, where that is so of several. */
export const PEOPLE = 'A person does this, in the dashboard.';
export const PAYOUTS = `It decides where money goes. ${PEOPLE}`;
export const SECRETS = `It is about keys and secrets. ${PEOPLE}`;
export const SENDING = `It sends something to somebody's server. ${PEOPLE}`;
export const EXCEPTIONS = `It resolves an exception. ${PEOPLE}`;
export const REFUNDS = `It decides where money goes: of refunds, an assistant can only create them. ${PEOPLE}`;
export const FACILITATOR =
  'It settles payments that other servers take from programs. Those servers call it.';
export const TAX = `It decides what tax is charged. ${PEOPLE}`;
export const DISCOUNTS = `It decides what customers pay less. ${PEOPLE}`;
export const INVOICES = `It decides what a customer owes: of invoices, an assistant only writes drafts. ${PEOPLE}`;
export const WAIVING = `It waives money that a customer owes. ${PEOPLE}`;
export const REMINDING = `It writes to a customer. ${PEOPLE}`;
export const NOTES = `It is what one person says to another. ${PEOPLE}`;
export const SANDBOX = 'Use the tools pay_test and advance_clock, or the florin command.';
export const FILE = 'It is about a file; an assistant reads and writes JSON.';
