import type { Page } from '@florin/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CsvButton } from './csv-button.tsx';
import { type Filter, ListFilters } from './list-filters.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { ScreenTitle } from './screen-title.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { useAddressSearch } from './use-search.ts';

export { createdRange, DATE_FILTERS, type Filter } from './list-filters.tsx';
export type { Column } from './list-table.tsx';
export { firstOf } from './use-search.ts';

const PAGE_SIZE = 50;

export interface ListScreenProps<Item, Query> {
  title: string;
  /** The first part of its key: what live updates call it. */
  name: string;
  columns: readonly Column<Item>[];
  filters?: readonly Filter[];
  /** The address's filters as the API asks for them. */
  query(search: Record<string, string | string[]>): Query;
  load(query: Query & { limit: number; cursor?: string }): PromiseLike<Page<Item>>;
  /** Streams the same list, all of it, as CSV. */
  loadCsv?(query: Query): Promise<Response>;
  idOf?(item: Item): string;
  /** Where a row leads. */
  hrefOf?(item: Item): string;
  empty: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Between the title and the list. */
  children?: ReactNode;
  /** For lists that change without an event. */
  refetchInterval?: number;
}

/** A key is kept as JSON, which has no large integers. */
const keyOf = (query: object) =>
  JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** A list of anything, however long: pages are asked for as they come into view, and only rows in view are drawn. */
export function ListScreen<Item, Query extends object>(props: ListScreenProps<Item, Query>) {
  const [search] = useAddressSearch();
  const query = props.query(search);
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: [props.name, 'list', keyOf(query)],
      queryFn: ({ pageParam }) =>
        props.load({ ...query, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }) as Promise<
          Page<Item>
        >,
      initialPageParam: '',
      getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
      refetchInterval: props.refetchInterval,
    });
  const items = data?.pages.flatMap((page) => page.data) ?? [];
  const isFiltered = (props.filters ?? []).some(({ name }) => search[name] !== undefined);
  return (
    <>
      <ScreenTitle title={props.title}>
        {props.loadCsv && <CsvButton name={props.name} load={() => props.loadCsv!(query)} />}
        {props.actions}
      </ScreenTitle>
      {props.children}
      {props.filters && <ListFilters filters={props.filters} />}
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : isPending ? (
        <Loading lines={10} />
      ) : items.length > 0 ? (
        <ListTable
          caption={props.title}
          columns={props.columns}
          items={items}
          idOf={props.idOf ?? ((item) => (item as { id: string }).id)}
          hrefOf={props.hrefOf}
          onEnd={() => hasNextPage && !isFetchingNextPage && void fetchNextPage()}
          isMore={hasNextPage}
        />
      ) : isFiltered ? (
        <Empty title="Nothing fits these filters">Widen them, or clear them.</Empty>
      ) : (
        props.empty
      )}
    </>
  );
}
