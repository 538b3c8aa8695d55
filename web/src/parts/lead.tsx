import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dotted } from './dotted.tsx';
import styles from './list-table.module.css';

/** The first cell of a row: who. Where there is no room for the columns of when and what, they are below. */
export function Lead({ who, what, when }: { who: ReactNode; what?: ReactNode; when?: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false });
  return <WithBelow below={isNarrow && (when ? <Dotted of={[what, when]} /> : what)}>{who}</WithBelow>;
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
