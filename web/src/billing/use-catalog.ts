import type { Price, Product } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';

const MOST = 1_000;
/** Every row asks for it; a change made here is read at once all the same. */
const FRESH_MS = 30_000;

export interface Catalog {
  products: ReadonlyMap<string, Product>;
  prices: ReadonlyMap<string, Price>;
  isRead: boolean;
}

/** What is sold, read once: lists name prices by their product. */
export function useCatalog(): Catalog {
  const products = useQuery({
    queryKey: ['products', 'all'],
    queryFn: () => florin.products.list({ limit: 100 }).toArray({ limit: MOST }),
    staleTime: FRESH_MS,
  });
  const prices = useQuery({
    queryKey: ['prices', 'all'],
    queryFn: () => florin.prices.list({ limit: 100 }).toArray({ limit: MOST }),
    staleTime: FRESH_MS,
  });
  return {
    products: new Map(products.data?.map((product) => [product.id, product])),
    prices: new Map(prices.data?.map((price) => [price.id, price])),
    isRead: products.data !== undefined && prices.data !== undefined,
  };
}
