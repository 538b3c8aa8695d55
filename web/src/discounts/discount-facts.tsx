import type { ReactNode } from 'react';
import { Money } from '../parts/money.tsx';
import { t } from '../words/t.ts';

interface Discounted {
  discount: { name: string } | null;
  discountCents: bigint | number;
}

/** Facts about the discount of a checkout or an invoice; none without a discount. */
export function discountFacts({ discount, discountCents }: Discounted): (readonly [string, ReactNode])[] {
  if (!discount) return [];
  return [
    [t('Discount'), discount.name],
    [t('Discount amount'), <Money key="discount" cents={-BigInt(discountCents)} />],
  ];
}
