import type { ReactNode } from 'react';
import { t } from '../words/t.ts';
import { Copyable } from './copyable.tsx';
import { type Fact, Facts } from './detail-screen.tsx';
import styles from './developer-details.module.css';
import { useRemembered } from './use-remembered.ts';

interface DeveloperDetailsProps {
  /** A text can be copied. */
  of: readonly Fact[];
  /** Further content that only developers need. */
  children?: ReactNode;
}

/** Ids and what else only somebody who writes code needs: folded until it is opened, and from then on open on every screen. */
export function DeveloperDetails({ of, children }: DeveloperDetailsProps) {
  const [isOpen, setOpen] = useRemembered('florin-developer-details');
  return (
    <details className={styles.details} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Details for developers')}</summary>
      {isOpen && (
        <>
          <Facts of={of.map(([label, value]) => [label, copyable(label, value)] as const)} />
          {children}
        </>
      )}
    </details>
  );
}

function copyable(label: string, value: ReactNode): ReactNode {
  if (typeof value !== 'string') return value;
  return <Copyable text={value} label={label} />;
}
