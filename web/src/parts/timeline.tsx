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

/** List of events in their order, and of what may follow. */
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
