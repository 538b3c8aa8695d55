import type { Page } from '@florin/sdk';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { queryClient } from '../app/query-client.ts';

const PAGE_SIZE = 100;
/** This many pages stay live. Further down the list is frozen, and becomes live again at its top. */
const LIVE_PAGES = 3;
const NEAR_TOP_PX = 100;

interface ListQuery<Item, Query> {
  /** Name of the list in live updates. */
  name: string;
  query: Query;
  load(query: Query & { limit: number; cursor?: string }): PromiseLike<Page<Item>>;
  refetchInterval?: number | undefined;
}

/** Query keys are JSON, which has no large integers. */
const keyOf = (query: object) =>
  JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** A list of any length, read page by page as its end comes into view. */
export function useList<Item, Query extends object>(list: ListQuery<Item, Query>) {
  const queryKey = [list.name, 'list', keyOf(list.query)];
  const result = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      list.load({ ...list.query, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }) as Promise<
        Page<Item>
      >,
    initialPageParam: '',
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
    refetchInterval: list.refetchInterval,
    // All pages are read again, one after the other: of a thousand that would never end.
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= LIVE_PAGES,
  });
  const { data, refetch } = result;
  const isStill = (data?.pages.length ?? 0) > LIVE_PAGES;
  useBackAtTop(isStill, () => {
    queryClient.setQueryData<InfiniteData<Page<Item>, string>>(queryKey, (read) => read && firstPageOf(read));
    void refetch();
  });
  const items = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return { ...result, items };
}

const firstPageOf = <Item>({ pages, pageParams }: InfiniteData<Page<Item>, string>) => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});

/** Calls back when the reader has scrolled down and back up. */
function useBackAtTop(isWatching: boolean, onTop: () => void): void {
  useEffect(() => {
    if (!isWatching) return;
    let wasBelow = window.scrollY > NEAR_TOP_PX;
    const look = () => {
      if (window.scrollY > NEAR_TOP_PX) wasBelow = true;
      else if (wasBelow) onTop();
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [isWatching, onTop]);
}
