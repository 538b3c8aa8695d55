import { t } from '../words/t.ts';
import styles from './code-block.module.css';

/** Text of machines, as it is. */
export function CodeBlock({ text, label }: { text: string | null; label: string }) {
  if (!text) return <p className={styles.none}>{t('Empty')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <section className={styles.code} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
