import type { ReactNode } from 'react';
import styles from './list-table.module.css';

interface SimpleTableProps {
  caption: string;
  titles: readonly string[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
}

/** Table for lists that are short by nature. The last column is for what can be done. */
export function SimpleTable({ caption, titles, rows }: SimpleTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keys.
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      <table className={styles.table}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              {cells.map((cell, at) => (
                <td key={titles[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
