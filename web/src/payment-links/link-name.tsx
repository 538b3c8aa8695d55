import type { PaymentLink } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { moneyText } from '../parts/money.tsx';

/** What a link sells never changes, so it is asked for once. */
export function useSold({ productId, priceId }: PaymentLink) {
  const forEver = { staleTime: Number.POSITIVE_INFINITY };
  const product = useQuery({
    queryKey: ['products', 'one', productId],
    queryFn: () => florin.products.retrieve(productId),
    ...forEver,
  });
  const price = useQuery({
    queryKey: ['prices', 'one', priceId],
    queryFn: () => florin.prices.retrieve(priceId),
    ...forEver,
  });
  return { product: product.data, price: price.data };
}

export function LinkName({ link }: { link: PaymentLink }) {
  const { product, price } = useSold(link);
  const name = link.name ?? product?.name ?? '…';
  return <>{price ? `${name} · ${moneyText(price.unitAmountCents)}` : name}</>;
}
