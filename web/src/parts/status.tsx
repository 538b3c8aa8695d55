import styles from './status.module.css';

type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'calm';

/** One colour for one meaning, on every screen. */
const TONES: Record<string, Tone> = {
  succeeded: 'good',
  paid: 'good',
  complete: 'good',
  active: 'good',
  trialing: 'good',
  linked: 'good',
  processing: 'busy',
  pending: 'busy',
  open: 'busy',
  retrying: 'warn',
  underpaid: 'warn',
  past_due: 'warn',
  awaiting_address: 'warn',
  ready: 'busy',
  incomplete: 'warn',
  failed: 'bad',
  uncollectible: 'bad',
};

export function Status({ of, tone }: { of: string; tone?: Tone }) {
  return <span className={`${styles.status} ${styles[tone ?? TONES[of] ?? 'calm']}`}>{words(of)}</span>;
}

/** `past_due` → Past due. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
