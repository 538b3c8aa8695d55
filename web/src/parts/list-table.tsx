import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t, tn } from '../words/t.ts';
import { listStepOf } from './list-step.ts';
import styles from './list-table.module.css';

export interface Column<Item> {
  title: string;
  cell(item: Item): ReactNode;
  align?: 'right';
  /** Left out where there is no room. */
  wideOnly?: boolean;
  /** Share of a narrow screen that it takes, such as 60%; else all columns take the same. */
  share?: string;
}

interface ListTableProps<Item> {
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  idOf(item: Item): string;
  hrefOf?: ((item: Item) => string) | undefined;
  /** Near the last row; a list without it is whole. */
  onEnd?: () => void;
  isMore?: boolean;
}

const ROW_PX = 41;
const NEAR_END_ROWS = 40;

export function ListTable<Item>({
  caption,
  columns,
  items,
  idOf,
  hrefOf,
  onEnd,
  isMore,
}: ListTableProps<Item>) {
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  // The content above may grow once it has loaded.
  useLayoutEffect(() => setTop(table.current?.offsetTop ?? 0));
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - NEAR_END_ROWS) onEnd?.();
  }, [last, items.length, onEnd]);
  const step = useSteps(table, items.length, (index) => virtual.scrollToIndex(index));
  const before = (rows[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((rows.at(-1)?.end ?? top) - top);
  return (
    <>
      <table
        className={`${styles.table} ${styles.fitted}`}
        ref={table}
        onKeyDown={step}
        aria-rowcount={isMore ? -1 : items.length + 1}
      >
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, share, ...column }) => (
              <th
                key={title}
                scope="col"
                className={classOf(column)}
                style={{ '--share': share } as CSSProperties}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space px={before} />}
          {rows.map(({ index }) => {
            const item = items[index]!;
            const href = hrefOf?.(item);
            return (
              <tr key={idOf(item)} className={href ? styles.open : undefined} aria-rowindex={index + 2}>
                {columns.map(({ title, cell, ...column }, at) => (
                  <td key={title} className={classOf(column)}>
                    {at === 0 && href ? (
                      <Link to={href} data-row className={styles.row}>
                        {cell(item)}
                      </Link>
                    ) : (
                      cell(item)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <Space px={after} />}
        </tbody>
      </table>
      {onEnd && (
        <p className={styles.end} role="status">
          {isMore ? t('Loading more …') : tn(items.length, '{count} result', '{count} results')}
        </p>
      )}
    </>
  );
}

/**
 * Arrow keys from row to row. Pressed faster than rows are drawn, they lose no press: the row they lead to takes the
 * focus once it is there.
 */
function useSteps(
  table: RefObject<HTMLTableElement | null>,
  count: number,
  scrollTo: (index: number) => void,
) {
  const wanted = useRef<number | null>(null);
  const focusRow = (index: number) => {
    const link = table.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${index + 2}"] [data-row]`);
    link?.focus();
    const focused = document.activeElement;
    const isElsewhere = focused !== document.body && !table.current?.contains(focused);
    wanted.current = link || isElsewhere ? null : index;
  };
  useLayoutEffect(() => {
    if (wanted.current !== null) focusRow(wanted.current);
  });
  return (event: KeyboardEvent) => {
    const step = listStepOf(event.key);
    const row = (event.target as HTMLElement).closest('tr[aria-rowindex]');
    if (!step || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = wanted.current ?? Number(row.getAttribute('aria-rowindex')) - 2;
    focusRow(Math.max(0, Math.min(at + step, count - 1)));
    if (wanted.current !== null) scrollTo(wanted.current);
  };
}

/** Placeholder for the rows out of view. A single cell: more would add columns that a narrow screen hides. */
function Space({ px }: { px: number }) {
  return (
    <tr>
      <td style={{ height: px, padding: 0, border: 0 }} />
    </tr>
  );
}

function classOf({ align, wideOnly }: { align?: 'right'; wideOnly?: boolean }): string {
  return [align === 'right' && styles.right, wideOnly && styles.wide].filter(Boolean).join(' ');
}
