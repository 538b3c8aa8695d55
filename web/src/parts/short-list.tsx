import type { Page } from '@florin/sdk';
import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { t } from '../words/t.ts';
import { Section } from './detail-screen.tsx';
import styles from './list-table.module.css';
import type { Column } from './list-table.tsx';
import own from './short-list.module.css';
import { Failed, Loading } from './states.tsx';

const ROWS = 5;

interface ShortListProps<Item> {
  title: string;
  /** The first part of its key: what live updates call it. */
  name: string;
  /** Filter of the list. */
  of: Record<string, string>;
  load(limit: number): PromiseLike<Page<Item>>;
  columns: readonly Column<Item>[];
  idOf?(item: Item): string;
  hrefOf?(item: Item): string;
  /** Address of the complete list. */
  all?: { to: string; search: Record<string, string> };
  empty: string;
  actions?: ReactNode;
  rows?: number;
}

/** The latest of a kind that belong to what the screen shows. */
export function ShortList<Item>({
  title,
  name,
  of,
  load,
  columns,
  rows = ROWS,
  ...props
}: ShortListProps<Item>) {
  const { data, error, refetch } = useQuery({
    queryKey: [name, 'short', of, rows],
    queryFn: async () => load(rows),
  });
  const actions = (
    <Group gap="xs">
      {(data?.data.length ?? 0) > 0 && props.all && (
        <Anchor component={Link} to={props.all.to} search={props.all.search as never} size="sm">
          {t('See all')}
        </Anchor>
      )}
      {props.actions}
    </Group>
  );
  return (
    <Section title={title} actions={actions}>
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Loading lines={2} />
      ) : data.data.length === 0 ? (
        <Text c="dimmed" size="sm">
          {props.empty}
        </Text>
      ) : (
        <PlainTable
          caption={title}
          columns={columns}
          items={data.data}
          idOf={props.idOf ?? ((item) => (item as { id: string }).id)}
          hrefOf={props.hrefOf}
        />
      )}
    </Section>
  );
}

interface PlainTableProps<Item> {
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  idOf(item: Item): string;
  hrefOf?: ((item: Item) => string) | undefined;
  /** One line to each row, as in the lists themselves. */
  isFitted?: boolean;
}

/** A table that is short enough to be drawn as it is. */
export function PlainTable<Item>({ caption, columns, items, idOf, hrefOf, isFitted }: PlainTableProps<Item>) {
  return (
    <table className={`${styles.table} ${isFitted ? styles.fitted : own.plain}`}>
      <caption className={styles.caption}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={classOf(column)}
              style={isFitted ? ({ '--share': column.share } as CSSProperties) : undefined}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={idOf(item)} className={hrefOf ? styles.open : undefined}>
            {columns.map((column, at) => (
              <td key={column.title} className={classOf(column)}>
                {at === 0 && hrefOf ? (
                  <Link to={hrefOf(item)} data-row className={styles.row}>
                    {column.cell(item)}
                  </Link>
                ) : (
                  column.cell(item)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ align, wideOnly }: { align?: 'right'; wideOnly?: boolean }): string {
  return [align === 'right' && styles.right, wideOnly && styles.wide].filter(Boolean).join(' ');
}
