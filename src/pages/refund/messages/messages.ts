import { RECEIVER_PROBLEMS } from '../../../payments/refunds/inspect-receiver.ts';

/** Name of a state, and its meaning for the customer. */
export interface StateText {
  title: string;
  text(merchant: string): string;
}

/** Faults of an address: nothing or no address was typed, or nothing can be sent to it. */
export const FORM_PROBLEMS = [
  'missing',
  'malformed',
  'truncated',
  'other_network',
  'name',
  'unavailable',
  ...RECEIVER_PROBLEMS,
] as const;
export type FormProblem = (typeof FORM_PROBLEMS)[number];

/** Every word of a refund's page. What varies is an argument; `{wallet}` is filled in by the browser. */
export interface RefundMessages {
  /** Above the amount. */
  head: string;
  /** The rows of facts. */
  number: string;
  address: string;
  transaction: string;
  sentAt: string;
  validUntil: string;
  copy: string;
  copied: string;
  /** A part has arrived; the rest is still to be sent. */
  part(sent: string): string;
  /** Nobody has said yet where the money should go. */
  asking: StateText;
  form: {
    label: string;
    hint: string;
    warning: string;
    submit: string;
    change: string;
    problem: string;
    problems: Record<FormProblem, string>;
  };
  wallet: {
    title: string;
    text: string;
    /** Used if it is not known which wallet paid. */
    textUnknown: string;
    offer: string;
    connecting: string;
    approve: string;
    confirmed: string;
    refused: string;
    failed: string;
    other: string;
  };
  awaitingApproval: StateText;
  ready: StateText;
  processing: StateText;
  succeeded: StateText;
  canceled: StateText;
  expired: StateText;
}
