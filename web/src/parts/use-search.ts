import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Search } from '../app/search.ts';

/** The filters in the address: what is seen can be bookmarked, sent and gone back to, step by step where each is a place of its own. */
export function useAddressSearch(): [
  Search,
  (change: Record<string, string | string[] | undefined>, isNewPlace?: boolean) => void,
] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (next: Record<string, string | string[] | undefined>, isNewPlace = false) => {
    void navigate({ to: '.', search: { ...search, ...next } as never, replace: !isNewPlace });
  };
  return [search, change];
}

export const firstOf = (value: string | string[] | undefined) => [value].flat()[0];
