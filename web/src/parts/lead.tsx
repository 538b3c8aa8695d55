import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from './list-table.module.css';

/** The first cell of a row: who. Where there is no room for the column of what, it is below. */
export function Lead({ who, what }: { who: ReactNode; what: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false });
  return <WithBelow below={isNarrow && what}>{who}</WithBelow>;
}

/** A cell with something smaller below. */
export function WithBelow({ children, below }: { children: ReactNode; below: ReactNode }) {
  return (
    <>
      {children}
      {below && <span className={styles.below}>{below}</span>}
    </>
  );
}
