import type { PaymentLink } from '@florin/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: () => florin.products.retrieve(id),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What a link sells never changes, so it is fetched once. */
export function useSold({ productId, priceId }: PaymentLink) {
  const product = useQuery(productQuery(productId));
  const price = useQuery({
    queryKey: ['prices', 'one', priceId],
    queryFn: () => florin.prices.retrieve(priceId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { product: product.data, price: price.data };
}
