import type { Page } from '@florin/sdk';
import type { ReactNode } from 'react';
import { CsvButton } from './csv-button.tsx';
import { type Filter, ListFilters } from './list-filters.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { ScreenTitle } from './screen-title.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { useList } from './use-list.ts';
import { useAddressSearch } from './use-search.ts';

export { createdRange, DATE_FILTERS, type Filter } from './list-filters.tsx';
export type { Column } from './list-table.tsx';
export { firstOf } from './use-search.ts';

export interface ListScreenProps<Item, Query> {
  title: string;
  /** The first part of its key: what live updates call it. */
  name: string;
  columns: readonly Column<Item>[];
  filters?: readonly Filter[];
  /** The filters of the URL as the API expects them. */
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

/** A list of any length: pages are loaded as they come into view, and only visible rows are rendered. */
export function ListScreen<Item, Query extends object>(props: ListScreenProps<Item, Query>) {
  const [search] = useAddressSearch();
  const query = props.query(search);
  const list = useList<Item, Query>({ ...props, query });
  const { items, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  const isFiltered = (props.filters ?? []).some(({ name }) => search[name] !== undefined);
  // Where there is nothing at all, there is nothing to narrow down or to save.
  const isBlank = !list.isPending && !error && items.length === 0 && !isFiltered;
  const readOn = () => hasNextPage && !isFetchingNextPage && void list.fetchNextPage();
  return (
    <>
      <ScreenTitle title={props.title}>
        {props.loadCsv && !isBlank && <CsvButton name={props.name} load={() => props.loadCsv!(query)} />}
        {props.actions}
      </ScreenTitle>
      {props.children}
      {props.filters && !isBlank && <ListFilters filters={props.filters} />}
      {error && !isFetchNextPageError && <Failed error={error} retry={list.refetch} />}
      {items.length > 0 ? (
        <ListTable
          caption={props.title}
          columns={props.columns}
          items={items}
          idOf={props.idOf ?? ((item) => (item as { id: string }).id)}
          hrefOf={props.hrefOf}
          onEnd={() => !isFetchNextPageError && readOn()}
          isMore={hasNextPage}
        />
      ) : list.isPending && !error ? (
        <Loading lines={10} />
      ) : isFiltered && !error ? (
        <Empty title="No results">Try changing or clearing the filters.</Empty>
      ) : (
        !error && props.empty
      )}
      {isFetchNextPageError && <Failed error={error} retry={readOn} />}
    </>
  );
}
