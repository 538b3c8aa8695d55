import type { PaymentLink } from '@florin/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: () => florin.products.retrieve(id),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Fetches the product and price of a link once: they never change. */
export function useSold({ productId, priceId }: PaymentLink) {
  const product = useQuery(productQuery(productId));
  const price = useQuery({
    queryKey: ['prices', 'one', priceId],
    queryFn: () => florin.prices.retrieve(priceId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { product: product.data, price: price.data };
}
