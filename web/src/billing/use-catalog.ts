import type { Price, Product } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';

const MAX = 1_000;
/** Every row uses it; a change made here is still visible immediately. */
const FRESH_MS = 30_000;

export interface Catalog {
  products: ReadonlyMap<string, Product>;
  prices: ReadonlyMap<string, Price>;
  isRead: boolean;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/** Made once for all rows that ask. */
const byId = <Item extends { id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

/** Returns all products and prices, read once: lists name prices by their product. */
export function useCatalog(): Catalog {
  const products = useQuery({
    queryKey: ['products', 'all'],
    queryFn: async () => byId(await florin.products.list({ limit: 100 }).toArray({ limit: MAX })),
    staleTime: FRESH_MS,
  });
  const prices = useQuery({
    queryKey: ['prices', 'all'],
    queryFn: async () => byId(await florin.prices.list({ limit: 100 }).toArray({ limit: MAX })),
    staleTime: FRESH_MS,
  });
  return {
    products: products.data ?? NONE,
    prices: prices.data ?? NONE,
    isRead: products.data !== undefined && prices.data !== undefined,
  };
}
