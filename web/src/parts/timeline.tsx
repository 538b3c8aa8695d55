import type { ReactNode } from 'react';
import { Time } from './time.tsx';
import styles from './timeline.module.css';

export interface Step {
  title: string;
  at?: string;
  text?: ReactNode;
  /** Has not come yet. */
  isAhead?: boolean;
}

/** What came, one after the other, and what may come. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.timeline}>
      {steps.map(({ title, at, text, isAhead }) => (
        <li key={`${at} ${title}`} className={isAhead ? styles.ahead : undefined}>
          <span>{title}</span>
          {at && <Time at={at} />}
          {text && <div>{text}</div>}
        </li>
      ))}
    </ol>
  );
}
