import { tc } from '../words/t.ts';
import styles from './status.module.css';

/**
 * Meaning of a colour on every screen, on the payer's pages and in the documents. Good: done, or running as it
 * should; busy: under way, or waiting for somebody else; warn: it needs the reader; bad: failed, or late; calm: over,
 * or switched off.
 */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'calm';

/** The API's words, each with one colour. A word that is not here is calm. */
export const TONES: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  paid: 'good',
  complete: 'good',
  active: 'good',
  trialing: 'good',
  verified: 'good',
  default: 'good',
  linked: 'good',
  kept: 'good',
  credited: 'good',
  pending: 'busy',
  processing: 'busy',
  open: 'busy',
  incomplete: 'busy',
  awaiting_address: 'busy',
  awaiting_approval: 'warn',
  ready: 'warn',
  retrying: 'warn',
  underpaid: 'warn',
  canceling: 'warn',
  not_verified: 'warn',
  shared: 'warn',
  failed: 'bad',
  overdue: 'bad',
  past_due: 'bad',
};

export function Status({ of, tone }: { of: string; tone?: Tone }) {
  return <span className={`${styles.status} ${styles[tone ?? TONES[of] ?? 'calm']}`}>{words(of)}</span>;
}

const WORDS: Readonly<Record<string, string>> = {
  active: tc('state', 'Active'),
  approved: tc('state', 'Approved'),
  archived: tc('state', 'Archived'),
  awaiting_address: tc('state', 'Awaiting address'),
  awaiting_approval: tc('state', 'Awaiting approval'),
  canceled: tc('state', 'Canceled'),
  canceling: tc('state', 'Canceling'),
  complete: tc('state', 'Complete'),
  credited: tc('state', 'Credited'),
  declined: tc('state', 'Declined'),
  default: tc('state', 'Default'),
  deleted: tc('state', 'Deleted'),
  disabled: tc('state', 'Disabled'),
  draft: tc('state', 'Draft'),
  dust: tc('state', 'Dust'),
  erased: tc('state', 'Erased'),
  erasing: tc('state', 'Erasing'),
  expired: tc('state', 'Expired'),
  failed: tc('state', 'Failed'),
  inactive: tc('state', 'Inactive'),
  incomplete: tc('state', 'Incomplete'),
  incomplete_expired: tc('state', 'Incomplete expired'),
  kept: tc('state', 'Kept'),
  linked: tc('state', 'Linked'),
  multisig: tc('state', 'Multisig or program-owned'),
  not_verified: tc('state', 'Not verified'),
  open: tc('state', 'Open'),
  overdue: tc('state', 'Overdue'),
  paid: tc('state', 'Paid'),
  partly_refunded: tc('state', 'Partly refunded'),
  past_due: tc('state', 'Past due'),
  pending: tc('state', 'Pending'),
  processing: tc('state', 'Processing'),
  ready: tc('state', 'Ready'),
  refunded: tc('state', 'Refunded'),
  retrying: tc('state', 'Retrying'),
  returned: tc('state', 'Returned'),
  revoked: tc('state', 'Revoked'),
  shared: tc('state', 'Belongs to another merchant'),
  succeeded: tc('state', 'Succeeded'),
  trialing: tc('state', 'Trialing'),
  uncollectible: tc('state', 'Uncollectible'),
  underpaid: tc('state', 'Underpaid'),
  unpaid: tc('state', 'Unpaid'),
  unverified: tc('state', 'Unverified'),
  verified: tc('state', 'Verified'),
  void: tc('state', 'Void'),
};

/** A state as people call it. One that is not in the list: `past_due` → Past due. */
export function words(name: string): string {
  const known = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (known) return known;
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
