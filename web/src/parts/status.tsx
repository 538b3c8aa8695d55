import styles from './status.module.css';

/**
 * What a colour means, on every screen, on the payer's pages and in the documents:
 * good: it is done, or runs as it should; busy: it is under way, or waits for somebody else;
 * warn: it needs the reader; bad: it failed, or is late; calm: it is over, or switched off.
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
  failed: 'bad',
  overdue: 'bad',
  past_due: 'bad',
};

export function Status({ of, tone }: { of: string; tone?: Tone }) {
  return <span className={`${styles.status} ${styles[tone ?? TONES[of] ?? 'calm']}`}>{words(of)}</span>;
}

/** `past_due` → Past due. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
