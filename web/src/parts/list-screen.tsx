import type { Page, SavedView } from '@florin/sdk';
import type { ReactNode } from 'react';
import type { Search } from '../app/search.ts';
import { t } from '../words/t.ts';
import { CsvButton } from './csv-button.tsx';
import { type Filter, ListFilters } from './list-filters.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { SavedViews } from './saved-views.tsx';
import { ScreenTitle } from './screen-title.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { useList } from './use-list.ts';
import { useAddressSearch } from './use-search.ts';

export { centsIn, createdRange, DATE_FILTERS, type Filter } from './list-filters.tsx';
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
  /** The same list in other rows. */
  otherCsv?: { name: string; label: string; load(query: Query): Promise<Response> };
  idOf?(item: Item): string;
  /** Returns the address that a row leads to. */
  hrefOf?(item: Item): string;
  empty: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Between the title and the list. */
  children?: ReactNode;
  /** Interval for lists that change without an event. */
  refetchInterval?: number;
}

/** A list of any length: pages are loaded as they come into view, and only visible rows are rendered. */
export function ListScreen<Item, Query extends object>(props: ListScreenProps<Item, Query>) {
  const [search] = useAddressSearch();
  const query = props.query(offered(search, props.filters ?? []));
  const { otherCsv } = props;
  const list = useList<Item, Query>({ ...props, query });
  const { items, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  const isFiltered = (props.filters ?? []).some(({ name }) => search[name] !== undefined);
  // An empty list has nothing to narrow down or to save.
  const isBlank = !list.isPending && !error && items.length === 0 && !isFiltered;
  const readOn = () => hasNextPage && !isFetchingNextPage && void list.fetchNextPage();
  return (
    <>
      <ScreenTitle title={props.title}>
        {props.loadCsv && !isBlank && <CsvButton name={props.name} load={() => props.loadCsv!(query)} />}
        {otherCsv && !isBlank && <CsvButton {...otherCsv} load={() => otherCsv.load(query)} />}
        {props.actions}
      </ScreenTitle>
      {props.children}
      {props.filters && props.filters.length > 0 && !isBlank && (
        <SavedViews list={props.name as SavedView['list']} filters={props.filters} />
      )}
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
        <Empty title={t('No results')}>{t('Try changing or clearing the filters.')}</Empty>
      ) : (
        !error && props.empty
      )}
      {isFetchNextPageError && <Failed error={error} retry={readOn} />}
    </>
  );
}

/** Removes choices that are no longer offered: an old bookmark or saved view opens the list all the same. */
function offered(search: Search, filters: readonly Filter[]): Search {
  const isGone = (name: string, value: string) =>
    filters.some(
      (filter) => filter.kind === 'choice' && filter.name === name && !filter.options.includes(value),
    );
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => ![value].flat().some((each) => isGone(name, each))),
  );
}
