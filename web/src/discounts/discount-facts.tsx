import type { ReactNode } from 'react';
import { Money } from '../parts/money.tsx';

interface Discounted {
  discount: { name: string } | null;
  discountCents: bigint | number;
}

/** What a checkout or an invoice says of its discount; nothing where it has none. */
export function discountFacts({ discount, discountCents }: Discounted): (readonly [string, ReactNode])[] {
  if (!discount) return [];
  return [
    ['Discount', discount.name],
    ['Discount amount', <Money key="discount" cents={-BigInt(discountCents)} />],
  ];
}
